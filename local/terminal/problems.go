package terminal

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// problem is what is wrong with a cell. Line is 0 and Column "" for the whole file.
type problem struct {
	Line    int    `json:"line,omitempty"`
	Column  string `json:"column,omitempty"`
	Message string `json:"message"`
}

// mostProblems bounds the problems that are printed.
const mostProblems = 500

// gatherProblems returns the problems of headings and rows by line. A column's problem in the
// headings is not repeated for the rows, and a problem of every row is reported once, at the first.
func gatherProblems(headings, rows []problem, n int) []problem {
	missing := map[string]bool{}
	for _, p := range headings {
		missing[p.Column] = p.Column != "" && p.Line == 1
	}
	times := map[problem]int{}
	for _, p := range rows {
		p.Line = 0
		times[p]++
	}
	all := slices.Clone(headings)
	said := map[problem]bool{}
	for _, p := range rows {
		same := problem{Column: p.Column, Message: p.Message}
		onEach := n > 1 && times[same] == n
		if missing[p.Column] || onEach && said[same] {
			continue
		}
		said[same] = true
		if onEach {
			p.Message = fmt.Sprintf("on each of %s: %s", count(n, "row"), p.Message)
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b problem) int { return cmp.Compare(a.Line, b.Line) })
	return all
}

// count returns a number with a noun: "1 row", "2 rows".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// printProblems prints what is wrong with the file, and returns the error of the command. consequence is
// what that means for the run.
func printProblems(c *call, file string, problems []problem, consequence string) error {
	err := printRows(c, rowsOf(problems, nil), mostProblems, "LINE, COLUMN, PROBLEM", func(p problem) []any {
		return []any{cmp.Or(p.Line, 1), p.Column, p.Message}
	})
	return cmp.Or(err, newExitError(exitInput, "%s has %s; %s", file, count(len(problems), "problem"), consequence))
}

// flagOf is the flag or argument of submit and of preferences set that has a field.
var flagOf = map[string]string{
	"name": "--name", "email": "--email", "linkedinUrl": "--linkedin", "recruiterEmail": "--member", "screeningCallLink": "--screening",
	"clientReferenceId": "--reference", resumeColumn: "<file>",
	"locations": "--locations", "workplaceTypes": "--workplace-types", "salaryMin": "--salary-min", "salaryMax": "--salary-max", "ote": "--ote",
	"idealFundingRounds": "--funding-rounds", "visaAuthorization": "--visa", "roleType": "--role-type",
	"excludedIndustries": "--excluded-industries", "companySizePreferences": "--company-sizes",
}

// accept returns a client with the agency key, or prints what is wrong with the flags of a candidate and returns the error of the command.
func (c *call) accept(problems []problem) (*client.Client, error) {
	if len(problems) == 0 {
		return c.newClient(agencyVariable)
	}
	type row struct {
		Flag    string `json:"flag,omitempty"`
		Message string `json:"message"`
	}
	var rows []row
	for _, p := range problems {
		rows = append(rows, row{flagOf[p.Column], p.Message})
	}
	err := printRows(c, rowsOf(rows, nil), mostProblems, "FLAG, PROBLEM", func(r row) []any { return []any{r.Flag, r.Message} })
	return nil, cmp.Or(err, newExitError(exitInput, "the command has %s; nothing was sent", count(len(problems), "problem")))
}
