package terminal

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

type preferencesCommands struct {
	Show preferencesShow `cmd:"" default:"withargs" help:"Show a candidate's work preferences."`
	Set  preferencesSet  `cmd:"" help:"Replace them: what is not given is cleared."`
	Bulk preferencesBulk `cmd:"" help:"Show those of several candidates, a line each."`
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
	row := inputRow{values: p.values()}
	for name, value := range map[string]string{"name": "x", "email": "x@example.com", "linkedinUrl": "https://www.linkedin.com/in/x"} {
		row.values[name] = value // the check is that of a whole submission
	}
	in, problems := checkRow(row)
	if len(problems) > 0 {
		return printFlagProblems(c, problems)
	}
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	out, err := api.SetPreferences(context.Background(), p.Candidate, in.Preferences)
	return printPreferences(c, out, err)
}

func printPreferences(c *call, out contract.CandidatePreferences, err error) error {
	if err != nil {
		return explain(err)
	}
	p := out.Preferences
	if p == nil {
		_, _ = fmt.Fprintln(c.messages, "none were entered")
		p = &contract.SavedWorkPreferences{}
	}
	return printOne(c, out, [][2]string{
		{"candidate", out.CandidateUserID}, {"locations", joinWords(p.Locations)}, {"workplace types", joinWords(p.WorkplaceTypes)},
		{"salary min", formatNumber(p.SalaryMin)}, {"salary max", formatNumber(p.SalaryMax)}, {"ote", formatNumber(p.OTE)},
		{"funding rounds", joinWords(p.IdealFundingRounds)}, {"visa", string(optional.Value(p.VisaAuthorization))},
		{"role type", joinWords(p.RoleType)},
		{"excluded industries", joinWords(p.ExcludedIndustries)}, {"company sizes", joinWords(p.CompanySizePreferences)},
	}...)
}

type preferencesBulk struct{ references }

// Run shows the preferences of all candidates. It prints one line for each membership.
func (p preferencesBulk) Run(ctx context.Context, c *call, api *client.Client) error {
	type found = contract.CandidatePreferences
	type saved = contract.SavedWorkPreferences
	rows, err := gather(p.Candidates, mostLookedUp, func(part references) (rows []foundRow[found], err error) {
		out, err := api.LookupPreferences(ctx, part.parse()...)
		for _, result := range out.Results {
			rows = append(rows, newFoundRows(part.Candidates[result.Index], result.Status, result.Candidates)...)
		}
		return rows, err
	})
	entered := func(cell func(saved) string) func(found) string {
		return func(f found) string { return cell(optional.Value(f.Preferences)) }
	}
	return printFound(c, rows, err,
		column[found]{"CANDIDATE", func(f found) string { return f.CandidateUserID }},
		column[found]{"LOCATIONS", entered(func(p saved) string { return joinWords(p.Locations) })},
		column[found]{"WORKPLACE", entered(func(p saved) string { return joinWords(p.WorkplaceTypes) })},
		column[found]{"SALARY MIN", entered(func(p saved) string { return formatNumber(p.SalaryMin) })},
		column[found]{"FUNDING ROUNDS", entered(func(p saved) string { return joinWords(p.IdealFundingRounds) })},
		column[found]{"ROLE TYPE", entered(func(p saved) string { return joinWords(p.RoleType) })})
}
