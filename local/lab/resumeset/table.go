package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// class is a row of the table: files that have something in common.
type class struct {
	name    string
	results []result
}

// classify groups results into the table's rows.
func classify(results []result, heldOut bool) []class {
	var classes []class
	add := func(name string, belongs func(truth) bool) {
		if own := selectResults(results, belongs); len(own) > 0 {
			classes = append(classes, class{name, own})
		}
	}
	add("all", func(truth) bool { return true })
	if heldOut {
		add("held-out languages", func(t truth) bool { return t.HeldOut == "language" })
		add("held-out families", func(t truth) bool { return t.HeldOut == "family" })
		add("held-out families, English", func(t truth) bool { return t.HeldOut == "family" && t.Language == "en" })
		add("held-out families, other languages", func(t truth) bool { return t.HeldOut == "family" && t.Language != "en" })
	} else {
		add("English", func(t truth) bool { return t.Language == "en" })
		add("other languages", func(t truth) bool { return t.Language != "en" })
	}
	add("English, PDF", func(t truth) bool { return t.Language == "en" && t.Format == "pdf" })
	english := func(t truth) string {
		if t.Language != "en" {
			return ""
		}
		return "English, layout " + t.Layout
	}
	properties := []func(truth) string{english, func(t truth) string { return "layout " + t.Layout }, func(t truth) string { return "format " + t.Format }}
	if !heldOut {
		properties = append(properties, func(t truth) string { return "family " + t.Family }, func(t truth) string { return "language " + t.Language })
	}
	for _, property := range properties {
		for _, value := range listValues(results, property) {
			add(value, func(t truth) bool { return value != "" && property(t) == value })
		}
	}
	return classes
}

func selectResults(results []result, belongs func(truth) bool) []result {
	var own []result
	for _, r := range results {
		if belongs(r.truth) {
			own = append(own, r)
		}
	}
	return own
}

func listValues(results []result, property func(truth) string) []string {
	var values []string
	for _, r := range results {
		values = append(values, property(r.truth))
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// printFields prints one row a class. Figures are percentages, strict and in brackets
// lenient: recall, and for jobs recall/precision.
func printFields(out io.Writer, classes []class) {
	printRow(out, append([]string{"", "files"}, fieldNames...))
	printRow(out, slices.Repeat([]string{"-"}, len(fieldNames)+2))
	for _, c := range classes {
		cells := []string{c.name, fmt.Sprint(len(c.results))}
		for _, field := range fieldNames {
			cells = append(cells, formatTally(field, c.sum(field)))
		}
		printRow(out, cells)
	}
}

func (c class) sum(field string) tally {
	var sum tally
	for _, r := range c.results {
		sum.add(r.tallies[field])
	}
	return sum
}

func formatTally(field string, t tally) string {
	switch {
	case t.want == 0:
		return "–"
	case field == "jobs":
		return fmt.Sprintf("%s/%s (%s/%s)", percent(t.right, t.want), percent(t.right, t.got), percent(t.alike, t.want), percent(t.alike, t.got))
	}
	return fmt.Sprintf("%s (%s)", percent(t.right, t.want), percent(t.alike, t.want))
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", 100*float64(n)/float64(of))
}

func printRow(out io.Writer, cells []string) {
	_, _ = fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
}

// printCalibration prints how many of the values that were told with a confidence are
// right, by strict equality.
func printCalibration(out io.Writer, results []result) {
	var all []rating
	for _, r := range results {
		all = append(all, r.rated...)
	}
	printRow(out, []string{"told with", "≥ 0.9", "0.7–0.9", "< 0.7"})
	printRow(out, slices.Repeat([]string{"-"}, 4))
	for _, field := range append([]string{""}, listRated(all)...) {
		name := field
		if field == "" {
			name = "all fields"
		}
		printRow(out, []string{name, countRight(all, field, 0.9, 2), countRight(all, field, 0.7, 0.9), countRight(all, field, 0, 0.7)})
	}
}

func listRated(all []rating) []string {
	var fields []string
	for _, r := range all {
		fields = append(fields, r.field)
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// countRight returns the share of right ones among a field's values with a confidence in
// [from, below), and both numbers.
func countRight(all []rating, field string, from, below float64) string {
	right := 0
	told := 0
	for _, r := range all {
		if (field == "" || r.field == field) && r.confidence >= from && r.confidence < below {
			told = told + 1
			right = right + count(r.right)
		}
	}
	if told == 0 {
		return "–"
	}
	return fmt.Sprintf("%s %% (%d of %d)", percent(right, told), right, told)
}
