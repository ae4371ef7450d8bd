package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// class is a row of the table: files that have something in common.
type class struct {
	name    string
	results []result
}

// properties name the rows that a file counts in, "" for none. Rows of one property are
// neighbours, in the order of their names.
var properties = []func(truth) string{
	func(truth) string { return "all" },
	func(t truth) string { return named("held-out", t.HeldOut) },
	func(t truth) string {
		return map[bool]string{true: "English", false: "other languages"}[t.Language == "en"]
	},
	func(t truth) string {
		return map[bool]string{true: "English, PDF"}[t.Language == "en" && t.Format == "pdf"]
	},
	func(t truth) string { return named("layout", t.Layout) },
	func(t truth) string { return named("format", t.Format) },
	func(t truth) string { return named("family", t.shown(t.Family)) },
	func(t truth) string { return named("language", t.shown(t.Language)) },
}

func named(property, value string) string {
	if value == "" {
		return ""
	}
	return property + " " + value
}

// shown returns a value that the table shows of the development set alone.
func (t truth) shown(value string) string {
	if t.HeldOut != "" {
		return ""
	}
	return value
}

func classify(results []result) []class {
	var classes []class
	for _, property := range properties {
		rows := make(map[string][]result)
		for _, r := range results {
			name := property(r.truth)
			rows[name] = append(rows[name], r)
		}
		delete(rows, "")
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			classes = append(classes, class{name, rows[name]})
		}
	}
	return classes
}

// printFields prints one row a class. Figures are percentages, strict and in brackets
// lenient: recall, and for jobs recall/precision.
func printFields(out io.Writer, classes []class) {
	names := listFieldNames()
	printHead(out, append([]string{"", "files"}, names...)...)
	for _, c := range classes {
		cells := []string{c.name, fmt.Sprint(len(c.results))}
		for _, name := range names {
			var sum tally
			for _, r := range c.results {
				sum.add(r.tallies[name])
			}
			cells = append(cells, formatTally(name, sum))
		}
		printRow(out, cells...)
	}
}

func formatTally(field string, t tally) string {
	switch {
	case t.want == 0:
		return "–"
	case field == "jobs":
		right := percent(t.right, t.want) + "/" + percent(t.right, t.got)
		return fmt.Sprintf("%s (%s/%s)", right, percent(t.alike, t.want), percent(t.alike, t.got))
	}
	return fmt.Sprintf("%s (%s)", percent(t.right, t.want), percent(t.alike, t.want))
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", 100*float64(n)/float64(of))
}

func printHead(out io.Writer, cells ...string) {
	printRow(out, cells...)
	printRow(out, slices.Repeat([]string{"-"}, len(cells))...)
}

func printRow(out io.Writer, cells ...string) {
	_, _ = fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
}

// printConfidence prints how many of the values that were found with a confidence are
// right, by strict equality, and how many values are in no text.
func printConfidence(out io.Writer, results []result) {
	rated := make(map[string][3]tally)
	var foreign tally
	for _, r := range results {
		foreign.add(r.foreign)
		for name, bands := range r.rated {
			sums := rated[name]
			for i, band := range bands {
				sums[i].add(band)
			}
			rated[name] = sums
		}
	}
	_, _ = fmt.Fprintln(out)
	printHead(out, "found with confidence", "≥ 0.9", "0.7–0.9", "< 0.7")
	for _, name := range slices.Sorted(maps.Keys(rated)) {
		cells := []string{name}
		for _, band := range rated[name] {
			cells = append(cells, formatBand(band))
		}
		printRow(out, cells...)
	}
	_, _ = fmt.Fprintf(out, "\nValues that are not in the file: %d of %d\n", foreign.got-foreign.right, foreign.got)
}

// formatBand returns the share of the right ones among values, and their number.
func formatBand(t tally) string {
	if t.got == 0 {
		return "–"
	}
	return fmt.Sprintf("%s %% of %d", percent(t.right, t.got), t.got)
}
