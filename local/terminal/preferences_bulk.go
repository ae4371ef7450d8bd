package terminal

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

type preferencesBulk struct{ references }

// mostLookedUp is how many candidates one request can name (contract, Limits).
const mostLookedUp = 50

// Run shows the preferences of all candidates. It prints one line for each membership.
func (p preferencesBulk) Run(ctx context.Context, c *call, api *client.Client) error {
	type found = contract.CandidatePreferences
	type saved = contract.SavedWorkPreferences
	var rows []foundRow[found]
	var failed error
	for chunk := range slices.Chunk(p.Candidates, mostLookedUp) {
		out, err := api.LookupPreferences(ctx, references{chunk}.parse()...)
		for _, result := range out.Results {
			rows = append(rows, newFoundRows(chunk[result.Index], result.Status, result.Candidates)...)
		}
		if err != nil {
			failed = err
			break
		}
	}
	entered := func(cell func(saved) string) func(found) string {
		return func(f found) string { return cell(optional.Value(f.Preferences)) }
	}
	return printFound(c, rows, failed,
		column[found]{"CANDIDATE", func(f found) string { return f.CandidateUserID }},
		column[found]{"LOCATIONS", entered(func(p saved) string { return joinWords(p.Locations) })},
		column[found]{"WORKPLACE", entered(func(p saved) string { return joinWords(p.WorkplaceTypes) })},
		column[found]{"SALARY MIN", entered(func(p saved) string { return formatNumber(p.SalaryMin) })},
		column[found]{"FUNDING ROUNDS", entered(func(p saved) string { return joinWords(p.IdealFundingRounds) })},
		column[found]{"ROLE TYPE", entered(func(p saved) string { return joinWords(p.RoleType) })})
}
