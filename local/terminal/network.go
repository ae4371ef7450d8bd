package terminal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

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
	const headings = "CANDIDATE, NAME, EMAIL, STATUS, EXPIRES, MEMBER, ADDED"
	in := contract.ListCandidatesRequest{Status: optional.NonZero(l.Status), RecruiterEmail: optional.NonZero(l.Member)}
	return printRows(c, api.AllCandidates(ctx, in), l.Max, headings, func(r contract.CandidateRow) []any {
		return []any{r.CandidateUserID, r.Name, r.Email, r.Status, r.MarketExpiresAt, r.Recruiter.Email, r.AddedAt}
	})
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

func printFound[C any](c *call, rows []foundRow[C], err error, headings string, cells func(C) []any) error {
	return printRows(c, rowsOf(rows, err), 0, "REFERENCE, RESULT, "+headings, func(r foundRow[C]) []any {
		return append([]any{r.Reference, r.Status}, cells(optional.Value(r.Candidate))...)
	})
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
	return printFound(c, rows, err, "CANDIDATE, NAME, STATUS, SKILLS, LANGUAGES, YEARS", func(f found) []any {
		of := f.Resume
		return []any{f.CandidateUserID, f.Name, f.Status, strings.Join(of.Skills, ", "), strings.Join(of.Languages, ", "), of.YearsOfExperience}
	})
}

// marketCommand is off-market or re-enable.
type marketCommand struct{ references }

// Run takes the candidates off the market or puts them back on it, and prints the result for each reference.
func (r marketCommand) Run(ctx context.Context, c *call, k *kong.Context, api *client.Client) error {
	send := api.OffMarket
	if k.Selected().Name == "re-enable" {
		send = api.ReEnable
	}
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
	err = printRows(c, rowsOf(results, err), 0, "REFERENCE, RESULT, CANDIDATES, MESSAGE", func(m row) []any {
		return []any{r.Candidates[m.Index], m.Status, m.CandidateUserIDs, m.Message}
	})
	if err == nil && slices.ContainsFunc(results, func(m row) bool { return !m.OK }) {
		return newExitError(exitOutcome, "not all candidates could be changed")
	}
	return err
}

type membersCommand struct{ listFlags }

// Run lists the members.
func (m membersCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	rows := api.AllMembers(ctx, contract.ListMembersRequest{})
	return printRows(c, rows, m.Max, "EMAIL, NAME, ROLE, STATUS, PRIMARY", func(r contract.AgencyMember) []any {
		return []any{r.Email, r.Name, r.Role, r.Status, r.PrimaryOwner}
	})
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
	state := map[bool]string{true: "on", false: "off"}[out.FastTrack]
	if out.FastTrack && out.OffMarket {
		state = "on, once the candidate is back on the market"
	}
	return printOne(c, out, err, line{"candidate", out.CandidateUserID}, line{"fast track", state})
}

type preferencesShow struct {
	Candidate string `arg:"" help:"Id of the candidate (cu_…)."`
}

type preferencesSet struct {
	preferencesShow
	preferenceFlags
}

// Run shows the preferences.
func (p preferencesShow) Run(ctx context.Context, c *call, api *client.Client) error {
	out, err := api.Preferences(ctx, p.Candidate)
	return printPreferences(c, out, err)
}

// Run checks and replaces the preferences.
func (p preferencesSet) Run(c *call) error {
	row := inputRow{values: fieldValues(p)}
	for name, value := range map[string]string{"name": "x", "email": "x@example.com", "linkedinUrl": "https://www.linkedin.com/in/x"} {
		row.values[name] = value // the check is that of a whole submission
	}
	in, problems := checkRow(row)
	api, err := c.accept(problems)
	if err != nil {
		return err
	}
	out, err := api.SetPreferences(context.Background(), p.Candidate, in.Preferences)
	return printPreferences(c, out, err)
}

func printPreferences(c *call, out contract.CandidatePreferences, err error) error {
	if err == nil && out.Preferences == nil {
		_, _ = fmt.Fprintln(c.messages, "none were entered")
	}
	p := optional.Value(out.Preferences)
	return printOne(c, out, err, []line{
		{"candidate", out.CandidateUserID}, {"locations", p.Locations}, {"workplace types", p.WorkplaceTypes},
		{"salary min", p.SalaryMin}, {"salary max", p.SalaryMax}, {"ote", p.OTE},
		{"funding rounds", p.IdealFundingRounds}, {"visa", p.VisaAuthorization}, {"role type", p.RoleType},
		{"excluded industries", p.ExcludedIndustries}, {"company sizes", p.CompanySizePreferences},
	}...)
}

type preferencesBulk struct{ references }

// Run shows the preferences of all candidates. It prints one line for each membership.
func (p preferencesBulk) Run(ctx context.Context, c *call, api *client.Client) error {
	type found = contract.CandidatePreferences
	rows, err := gather(p.Candidates, mostLookedUp, func(part references) (rows []foundRow[found], err error) {
		out, err := api.LookupPreferences(ctx, part.parse()...)
		for _, result := range out.Results {
			rows = append(rows, newFoundRows(part.Candidates[result.Index], result.Status, result.Candidates)...)
		}
		return rows, err
	})
	return printFound(c, rows, err, "CANDIDATE, LOCATIONS, WORKPLACE, SALARY MIN, FUNDING ROUNDS, ROLE TYPE", func(f found) []any {
		p := optional.Value(f.Preferences)
		return []any{f.CandidateUserID, p.Locations, p.WorkplaceTypes, p.SalaryMin, p.IdealFundingRounds, p.RoleType}
	})
}
