package terminal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

type candidatesCommand struct {
	listFlags
	Status contract.MarketStatus `help:"Only candidates in this market state." values:"marketStatus"`
	Member string                `help:"Only candidates of this member, by e-mail address."`
}

// Run lists the talent network.
func (l candidatesCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	type row = contract.CandidateRow
	in := contract.ListCandidatesRequest{Status: optional.NonZero(l.Status), RecruiterEmail: optional.NonZero(l.Member)}
	return printRows(c, api.AllCandidates(ctx, in), l.Max,
		column[row]{"CANDIDATE", func(r row) string { return r.CandidateUserID }},
		column[row]{"NAME", func(r row) string { return r.Name }},
		column[row]{"EMAIL", func(r row) string { return r.Email }},
		column[row]{"STATUS", func(r row) string { return string(r.Status) }},
		column[row]{"EXPIRES", func(r row) string { return formatTime(r.MarketExpiresAt) }},
		column[row]{"MEMBER", func(r row) string { return r.Recruiter.Email }},
		column[row]{"ADDED", func(r row) string { return formatTime(&r.AddedAt) }})
}

// references are the arguments of commands for several candidates. There can be more than one request takes.
type references struct {
	Candidates []string `arg:"" name:"candidate" help:"Ids (cu_…), LinkedIn URLs or e-mail addresses."`
}

// How many candidates one request can name (contract, Limits).
const (
	mostLookedUp = 50
	mostChanged  = 100
)

// gather calls ask for at most limit candidates at a time, until it fails, and returns all rows that it had.
func gather[Row any](candidates []string, limit int, ask func(references) ([]Row, error)) (rows []Row, err error) {
	for chunk := range slices.Chunk(candidates, limit) {
		more, err := ask(references{chunk})
		rows = append(rows, more...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// parse returns the references: an address has an @ and no slash, and every id begins with cu_.
func (r references) parse() (all []contract.CandidateReference) {
	for _, text := range r.Candidates {
		switch {
		case strings.HasPrefix(text, "cu_"):
			all = append(all, contract.CandidateReference{CandidateUserID: &text})
		case strings.Contains(text, "@") && !strings.Contains(text, "/"):
			all = append(all, contract.CandidateReference{Email: &text})
		default:
			all = append(all, contract.CandidateReference{LinkedInURL: &text})
		}
	}
	return all
}

type lookupCommand struct{ references }

// foundRow is a line of a lookup: a membership that a reference leads to, or a reference that leads to none.
type foundRow[Candidate any] struct {
	Reference string                `json:"reference"`
	Status    contract.ResultStatus `json:"status"`
	Candidate *Candidate            `json:"candidate"`
}

func newFoundRows[C any](reference string, status contract.ResultStatus, found []C) (rows []foundRow[C]) {
	for i := range found {
		rows = append(rows, foundRow[C]{reference, status, &found[i]})
	}
	if len(found) == 0 {
		rows = append(rows, foundRow[C]{reference, status, nil})
	}
	return rows
}

// printFound prints the lines of a lookup: the reference, the result and, of each candidate, cells.
func printFound[Candidate any](c *call, rows []foundRow[Candidate], err error, cells ...column[Candidate]) error {
	type row = foundRow[Candidate]
	columns := []column[row]{
		{"REFERENCE", func(r row) string { return r.Reference }}, {"RESULT", func(r row) string { return string(r.Status) }},
	}
	for _, of := range cells {
		columns = append(columns, column[row]{of.heading, func(r row) string { return of.cell(optional.Value(r.Candidate)) }})
	}
	return printRows(c, rowsOf(rows, err), 0, columns...)
}

// Run looks candidates up. It prints one line for each membership.
func (l lookupCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	type found = contract.FoundCandidate
	rows, err := gather(l.Candidates, mostLookedUp, func(part references) (rows []foundRow[found], err error) {
		out, err := api.Lookup(ctx, part.parse()...)
		for _, result := range out.Results {
			rows = append(rows, newFoundRows(part.Candidates[result.Index], result.Status, result.Candidates)...)
		}
		return rows, err
	})
	return printFound(c, rows, err,
		column[found]{"CANDIDATE", func(f found) string { return f.CandidateUserID }},
		column[found]{"NAME", func(f found) string { return f.Name }},
		column[found]{"STATUS", func(f found) string { return string(f.Status) }},
		column[found]{"SKILLS", func(f found) string { return strings.Join(f.Resume.Skills, ", ") }},
		column[found]{"LANGUAGES", func(f found) string { return strings.Join(f.Resume.Languages, ", ") }},
		column[found]{"YEARS", func(f found) string {
			if f.Resume.YearsOfExperience == nil {
				return ""
			}
			return fmt.Sprintf("%.1f", *f.Resume.YearsOfExperience)
		}})
}

type offMarketCommand struct{ references }

type reEnableCommand struct{ references }

// Run takes the candidates off the market.
func (o offMarketCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	return o.change(ctx, c, api.OffMarket)
}

// Run puts the candidates back on the market.
func (r reEnableCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	return r.change(ctx, c, api.ReEnable)
}

// change changes the market state of the candidates, and prints the result for each reference.
func (r references) change(
	ctx context.Context, c *call, send func(context.Context, ...contract.CandidateReference) (contract.MarketResponse, error),
) error {
	type row = contract.MarketResult
	sent := 0
	results, err := gather(r.Candidates, mostChanged, func(part references) ([]row, error) {
		out, err := send(ctx, part.parse()...)
		for i := range out.Results {
			out.Results[i].Index += sent
		}
		sent += len(part.Candidates)
		return out.Results, err
	})
	if err := printRows(c, rowsOf(results, err), 0,
		column[row]{"REFERENCE", func(m row) string { return r.Candidates[m.Index] }},
		column[row]{"RESULT", func(m row) string { return string(m.Status) }},
		column[row]{"CANDIDATES", func(m row) string { return strings.Join(m.CandidateUserIDs, " ") }},
		column[row]{"MESSAGE", func(m row) string { return m.Message }}); err != nil {
		return err
	}
	for _, result := range results {
		if !result.OK {
			return newExitError(exitOutcome, "not all candidates could be changed")
		}
	}
	return nil
}

type membersCommand struct{ listFlags }

// Run lists the members.
func (m membersCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	type row = contract.AgencyMember
	return printRows(c, api.AllMembers(ctx, contract.ListMembersRequest{}), m.Max,
		column[row]{"EMAIL", func(r row) string { return r.Email }},
		column[row]{"NAME", func(r row) string { return r.Name }},
		column[row]{"ROLE", func(r row) string { return string(r.Role) }},
		column[row]{"STATUS", func(r row) string { return string(r.Status) }},
		column[row]{"PRIMARY", func(r row) string {
			if r.PrimaryOwner {
				return "yes"
			}
			return ""
		}})
}

type fastTrackCommands struct {
	Show fastTrackShow `cmd:"" default:"withargs" help:"Show whether a candidate is opted in."`
	Set  fastTrackSet  `cmd:"" help:"Opt a candidate of the key's creator in or out."`
}

type fastTrackShow struct {
	Candidate string `arg:"" help:"Id of the candidate (cu_…)."`
}

type fastTrackSet struct {
	fastTrackShow
	State string `arg:"" enum:"on,off" help:"on or off."`
}

// Run shows the opt-in.
func (f fastTrackShow) Run(ctx context.Context, c *call, api *client.Client) error {
	out, err := api.FastTrack(ctx, f.Candidate)
	return printFastTrack(c, out, err)
}

// Run sets the opt-in.
func (f fastTrackSet) Run(ctx context.Context, c *call, api *client.Client) error {
	out, err := api.SetFastTrack(ctx, f.Candidate, f.State == "on")
	return printFastTrack(c, out, err)
}

func printFastTrack(c *call, out contract.FastTrack, err error) error {
	if err != nil {
		return explain(err)
	}
	state := map[bool]string{true: "on", false: "off"}[out.FastTrack]
	if out.FastTrack && out.OffMarket {
		state = "on, once the candidate is back on the market"
	}
	return printOne(c, out, [2]string{"candidate", out.CandidateUserID}, [2]string{"fast track", state})
}
