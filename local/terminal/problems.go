package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The exit codes other than 0 and 1; see [Description].
const (
	exitInput       = 2
	exitOutcome     = 3
	exitRefused     = 4
	exitUnreachable = 5
	exitInterrupted = 130
)

// exitError is an error with an exit code, which kong uses, and the API's error if there is one.
type exitError struct {
	error
	code    int
	refused *client.Error
}

// ExitCode returns the exit code.
func (e exitError) ExitCode() int { return e.code }

// Unwrap returns the error without its exit code.
func (e exitError) Unwrap() error { return e.error }

func newExitError(code int, format string, values ...any) error {
	return exitError{fmt.Errorf(format, values...), code, nil}
}

var remedies = map[contract.Code]string{
	"invalid_api_key":         "check the key: an agency key and a recruiter key are two different ones",
	"expired_api_key":         "the key has expired; create another one",
	"revoked_api_key":         "the key was revoked; create another one",
	"missing_scope":           "create a key with the scope",
	"wrong_key_type":          "the command needs a key of the other type: AGENCY_KEY or RECRUITER_KEY",
	"talent_network_disabled": "ask the marketplace to enable the talent network for your agency",
	"idempotency_key_reused":  "an earlier request had this Idempotency-Key and another body; choose another one",
	"cursor_expired":          "changes are kept for 30 days; begin without --cursor, or with --cursor latest",
	"idempotency_in_progress": "an earlier attempt still runs; repeat the command in a minute",
	"unknown_filter_value":    "`enumerations` lists the values",
}

// explain returns an error of a call for the terminal: with the problems of fields, what to do, and an exit code.
func explain(err error) error {
	refused, ok := errors.AsType[*client.Error](err)
	_, coded := errors.AsType[exitError](err)
	_, ofFile := errors.AsType[*fs.PathError](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return newExitError(exitInterrupted, "interrupted")
	case coded, ofFile: // it says enough: it has an exit code, or is one of this machine's files
		return err
	case ok && refused.Status >= http.StatusInternalServerError:
		return exitError{errors.New(printable(err.Error())), exitUnreachable, refused}
	case ok:
		return exitError{errors.New(printable(err.Error()) + listProblems(refused)), exitRefused, refused}
	}
	return newExitError(exitUnreachable, "%s; is the address right, and the system up?", printable(err.Error()))
}

func listProblems(refused *client.Error) (text string) {
	for _, problem := range refused.Form {
		text += "\n  " + printable(problem)
	}
	for _, field := range sortedKeys(refused.Fields) {
		for _, problem := range refused.Fields[field] {
			text += "\n  " + printable(field+": "+problem)
		}
	}
	if remedy := remedies[refused.Code]; remedy != "" {
		text += "\n  " + remedy
	}
	return text
}

// problem is what is wrong with a cell. Line is 0 and Column "" for the whole file.
type problem struct {
	Line    int    `json:"line,omitempty"`
	Column  string `json:"column,omitempty"`
	Message string `json:"message"`
}

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

// printProblems prints what is wrong with the file, and returns the error of the command with a consequence.
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
	"locations": "--locations", "workplaceTypes": "--workplace-types",
	"salaryMin": "--salary-min", "salaryMax": "--salary-max", "ote": "--ote",
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
