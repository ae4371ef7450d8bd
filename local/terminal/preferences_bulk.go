package terminal

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

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
