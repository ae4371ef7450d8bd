package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

type scoreCommand struct {
	setFlags
	Only   string `help:"Only files whose names contain this (not of the held-out set)."`
	Errors string `help:"Print what was missed of a field of the table, and wrongly found (not of the held-out set)."`
}

// Validate refuses errors of the held-out set, and of no field. Kong calls it before Run.
func (c scoreCommand) Validate() error {
	if c.HeldOut && (c.Errors != "" || c.Only != "") {
		return errors.New("the held-out set has figures, and no errors to look at")
	}
	if names := listFieldNames(); c.Errors != "" && !slices.Contains(names, c.Errors) {
		return fmt.Errorf("there is no field %q: choose among %s", c.Errors, strings.Join(names, ", "))
	}
	return nil
}

// Run prints the tables. Of held-out files it prints figures only.
func (c scoreCommand) Run() error {
	truths, err := readTruths(c.folder())
	if err != nil {
		return err
	}
	column := slices.IndexFunc(fields, func(f field) bool { return f.name == c.Errors })
	var results []result
	sure := trust{rated: make(map[string][3]tally)}
	for _, t := range truths {
		if !strings.Contains(filepath.Base(t.File), c.Only) {
			continue
		}
		f, err := readFile(t.File)
		if err != nil {
			return fmt.Errorf("%s: %w", t.File, err)
		}
		r := compareFile(t, f, &sure)
		results = append(results, r)
		if all := r.tallies[c.Errors]; column < 0 || all.right == all.want && all.got == all.want {
			continue
		}
		want := fields[column].values(t.stated())
		got := fields[column].values(f)
		fmt.Println(t.File)
		printOthers("missed", want, got)
		printOthers("found ", got, want)
	}
	if len(results) == 0 {
		return errors.New("no files; first run: go run ./local/lab/resumeset make")
	}
	printFields(results)
	sure.print()
	return nil
}

// printOthers prints the values that equal none of the others.
func printOthers(what string, values, others []string) {
	for _, value := range values {
		if !slices.ContainsFunc(others, func(other string) bool { return isEqual(value, other) }) {
			fmt.Printf("  %s  %s\n", what, value)
		}
	}
}

// tally counts values: wanted, found, and found rightly by the strict and by the lenient equality.
type tally struct{ want, got, right, alike int }

func (t *tally) add(o tally) {
	t.want += o.want
	t.got += o.got
	t.right += o.right
	t.alike += o.alike
}

type result struct {
	truth   truth
	tallies map[string]tally // by the name of a field
}

// trust is how far the values that were found, of all files, can be trusted.
type trust struct {
	rated   map[string][3]tally // by the name of a confidence, and how high it is
	foreign tally               // values found, and those that are in the file's text
}

func compareFile(t truth, f found, sure *trust) result {
	r := result{truth: t, tallies: make(map[string]tally)}
	for _, column := range fields {
		want := slices.DeleteFunc(slices.Clone(column.values(t.stated())), isEmpty)
		got := slices.DeleteFunc(slices.Clone(column.values(f)), isEmpty)
		r.tallies[column.name] = tally{len(want), len(got), countPairs(want, got, isEqual), countPairs(want, got, isAlike)}
		for _, value := range got {
			sure.rate(f, column.confidence, slices.ContainsFunc(want, func(w string) bool { return isEqual(w, value) }))
		}
	}
	all := tally{want: len(t.Jobs), got: len(f.jobs)}
	dates := tally{} // of jobs paired by title and company
	paired := make([]bool, len(f.jobs))
	for _, want := range t.Jobs {
		i := -1 // of several the one of the same start
		for k, got := range f.jobs {
			isMatch := !paired[k] && isEqual(want.Title, got.Title) && isEqual(want.Company, got.Company)
			if isMatch && (i < 0 || isSameMonth(want.Start, got.Start)) {
				i = k
			}
		}
		if i < 0 {
			continue
		}
		paired[i] = true
		all.right++
		got := f.jobs[i]
		areSame := isSameMonth(want.Start, got.Start) && isSameMonth(want.End, got.End)
		areAlike := firstFour(want.Start) == firstFour(got.Start) && firstFour(want.End) == firstFour(got.End)
		dates.add(tally{want: 1, got: 1, right: count(areSame), alike: count(areAlike)})
	}
	for _, right := range paired {
		sure.rate(f, "experiences", right)
	}
	all.alike = countPairs(t.Jobs, f.jobs, func(want, got truthJob) bool {
		return isAlike(want.Title, got.Title) && isAlike(want.Company, got.Company)
	})
	r.tallies["jobs"] = all
	r.tallies["dates"] = dates
	if f.text != "" {
		for _, value := range f.listStated() {
			sure.foreign.add(tally{got: 1, right: count(isWithin(value, f.text))})
		}
	}
	return r
}

// rate counts a value that was found with a confidence: of at least 0.9, at least 0.7, or less.
func (s *trust) rate(f found, confidence string, right bool) {
	c, ok := f.Confidence[confidence]
	if !ok {
		return
	}
	bands := s.rated[confidence]
	bands[2-count(c >= 0.9)-count(c >= 0.7)].add(tally{got: 1, right: count(right)})
	s.rated[confidence] = bands
}

func count(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

func firstFour(s string) string { return s[:min(4, len(s))] }

// countPairs pairs each wanted value with an unused one that was found and matches it.
func countPairs[T any](wanted, found []T, match func(want, got T) bool) (pairs int) {
	unused := slices.Clone(found)
	for _, want := range wanted {
		if i := slices.IndexFunc(unused, func(got T) bool { return match(want, got) }); i >= 0 {
			unused = slices.Delete(unused, i, i+1)
			pairs++
		}
	}
	return pairs
}

// listStated returns the values that a file shows as they are.
func (f found) listStated() []string {
	values := []string{f.Name}
	for _, j := range f.jobs {
		values = append(values, j.Title, j.Company)
	}
	for _, e := range f.studies {
		values = append(values, e.School, e.Degree)
	}
	return slices.DeleteFunc(values, isEmpty)
}

// listClasses returns the names of the rows that a file counts in, one for each property, "" for none. The table shows family
// and language of the development set alone.
func (t truth) listClasses() []string {
	group := "other languages"
	pdf := ""
	if t.Language == "en" {
		group = "English"
	}
	if t.Language == "en" && t.Format == "pdf" {
		pdf = "English, PDF"
	}
	classes := []string{"all", named("held-out", t.HeldOut), group, pdf, named("layout", t.Layout), named("format", t.Format)}
	if t.HeldOut != "" {
		return classes
	}
	return append(classes, named("family", t.Family), named("language", t.Language))
}

func named(property, value string) string {
	if value == "" {
		return ""
	}
	return property + " " + value
}

// printFields prints one row a class. Those of one property are neighbours, in the order of their names. Figures are
// percentages, strict and in brackets lenient: recall, and for jobs recall/precision.
func printFields(results []result) {
	names := listFieldNames()
	printHead(append([]string{"", "files"}, names...)...)
	var properties []map[string][]result // by the name of a class
	for _, r := range results {
		for i, class := range r.truth.listClasses() {
			if i == len(properties) {
				properties = append(properties, make(map[string][]result))
			}
			properties[i][class] = append(properties[i][class], r)
		}
	}
	for _, classes := range properties {
		delete(classes, "")
		for _, class := range slices.Sorted(maps.Keys(classes)) {
			cells := []string{class, fmt.Sprint(len(classes[class]))}
			for _, name := range names {
				var sum tally
				for _, r := range classes[class] {
					sum.add(r.tallies[name])
				}
				cells = append(cells, formatTally(name, sum))
			}
			printRow(cells...)
		}
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

func printHead(cells ...string) {
	printRow(cells...)
	printRow(slices.Repeat([]string{"-"}, len(cells))...)
}

func printRow(cells ...string) {
	fmt.Printf("| %s |\n", strings.Join(cells, " | "))
}

// print prints how many of the values that were found with a confidence are right, by strict equality, and how many values are
// in no text.
func (s *trust) print() {
	fmt.Println()
	printHead("found with confidence", "≥ 0.9", "0.7–0.9", "< 0.7")
	for _, name := range slices.Sorted(maps.Keys(s.rated)) {
		cells := []string{name}
		for _, band := range s.rated[name] {
			cell := "–"
			if band.got > 0 {
				cell = fmt.Sprintf("%s %% of %d", percent(band.right, band.got), band.got)
			}
			cells = append(cells, cell)
		}
		printRow(cells...)
	}
	fmt.Printf("\nValues that are not in the file: %d of %d\n", s.foreign.got-s.foreign.right, s.foreign.got)
}
