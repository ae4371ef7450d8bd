package terminal

import (
	"cmp"
	"fmt"
	"slices"
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
	if err := printRows(c, rowsOf(problems, nil), mostProblems,
		column[problem]{"LINE", func(p problem) string { return fmt.Sprint(cmp.Or(p.Line, 1)) }},
		column[problem]{"COLUMN", func(p problem) string { return p.Column }},
		column[problem]{"PROBLEM", func(p problem) string { return p.Message }}); err != nil {
		return err
	}
	return newExitError(exitInput, "%s has %s; %s", file, count(len(problems), "problem"), consequence)
}
