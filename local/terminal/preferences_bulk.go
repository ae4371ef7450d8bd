package terminal

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type preferencesBulk struct{ references }

// mostLookedUp is how many candidates one request can name (contract, Limits).
const mostLookedUp = 50

// Run shows the preferences of all candidates. It prints one line for each membership.
func (p preferencesBulk) Run(ctx context.Context, c *call, api *client.Client) error {
	type row struct {
		Reference string                         `json:"reference"`
		Status    contract.ResultStatus          `json:"status"`
		Candidate *contract.CandidatePreferences `json:"candidate"`
	}
	rows := func(yield func(row, error) bool) {
		at := 0
		for chunk := range slices.Chunk(p.parse(), mostLookedUp) {
			out, err := api.LookupPreferences(ctx, chunk...)
			if err != nil {
				yield(row{}, err)
				return
			}
			for _, result := range out.Results {
				line := row{Reference: p.Candidates[at+result.Index], Status: result.Status}
				found := result.Candidates
				if len(found) == 0 && !yield(line, nil) {
					return
				}
				for i := range found {
					line.Candidate = &found[i]
					if !yield(line, nil) {
						return
					}
				}
			}
			at += len(chunk)
		}
	}
	of := func(field func(contract.SavedWorkPreferences) string) func(row) string {
		return func(r row) string {
			if r.Candidate == nil || r.Candidate.Preferences == nil {
				return ""
			}
			return field(*r.Candidate.Preferences)
		}
	}
	return printRows(c, rows, 0,
		column[row]{"REFERENCE", func(r row) string { return r.Reference }},
		column[row]{"RESULT", func(r row) string { return string(r.Status) }},
		column[row]{"CANDIDATE", func(r row) string {
			if r.Candidate == nil {
				return ""
			}
			return r.Candidate.CandidateUserID
		}},
		column[row]{"LOCATIONS", of(func(p contract.SavedWorkPreferences) string { return joinWords(p.Locations) })},
		column[row]{"WORKPLACE", of(func(p contract.SavedWorkPreferences) string { return joinWords(p.WorkplaceTypes) })},
		column[row]{"SALARY MIN", of(func(p contract.SavedWorkPreferences) string { return formatNumber(p.SalaryMin) })},
		column[row]{"FUNDING ROUNDS", of(func(p contract.SavedWorkPreferences) string { return joinWords(p.IdealFundingRounds) })},
		column[row]{"ROLE TYPE", of(func(p contract.SavedWorkPreferences) string { return joinWords(p.RoleType) })})
}
