package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type scoreCommand struct {
	setFlags
	Only   string `help:"Only files whose names contain this (not of the held-out set)."`
	Errors string `help:"Print what was missed of a field, and wrongly found (not of the held-out set): ${enum}." enum:",name,e-mail,LinkedIn,current title,current company,jobs,dates,schools,degrees,skills,languages" default:""`
}

// Run prints the tables. Of held-out files it prints figures only.
func (c scoreCommand) Run() error {
	if (c.HeldOut || c.Draw > 0) && c.Errors != "" || c.HeldOut && c.Only != "" {
		return errors.New("the held-out set and other draws have figures, and no errors to look at")
	}
	truths, err := readTruths(c.folder())
	if err != nil {
		return err
	}
	var results []result
	for _, t := range truths {
		if !strings.Contains(filepath.Base(t.File), c.Only) {
			continue
		}
		f, err := readFile(t.File)
		if err != nil {
			return fmt.Errorf("%s: %w", t.File, err)
		}
		r := compareFile(t, f)
		results = append(results, r)
		if c.Errors != "" {
			printErrors(os.Stdout, r, c.Errors)
		}
	}
	if len(results) == 0 {
		return errors.New("no files; first run: go run ./local/lab/resumeset make")
	}
	printFields(os.Stdout, classify(results, c.HeldOut))
	return printReader(os.Stdout, results)
}

// printReader prints what only this reader has: confidences, the text, and times.
func printReader(out io.Writer, results []result) error {
	_, _ = fmt.Fprintln(out)
	printCalibration(out, results)
	foreign := 0
	values := 0
	for _, r := range results {
		foreign = foreign + r.foreign
		values = values + r.values
	}
	_, _ = fmt.Fprintf(out, "\nValues that are not in the file: %d of %d\n\n", foreign, values)
	printTimes(out, results)
	return printFirst(out, results)
}

// printTimes prints the processor time of reading and understanding one file.
func printTimes(out io.Writer, results []result) {
	printRow(out, []string{"processor time per file", "files", "p50", "p99"})
	printRow(out, slices.Repeat([]string{"-"}, 4))
	for _, format := range append([]string{"all"}, listValues(results, func(t truth) string { return t.Format })...) {
		var times []time.Duration
		for _, r := range results {
			if format == "all" || r.truth.Format == format {
				times = append(times, r.found.elapsed)
			}
		}
		slices.Sort(times)
		quantile := func(q float64) string {
			return times[int(q*float64(len(times)-1))].Round(100 * time.Microsecond).String()
		}
		printRow(out, []string{format, fmt.Sprint(len(times)), quantile(0.5), quantile(0.99)})
	}
}

// printErrors prints what of a field was missed in a file, and what was found instead.
func printErrors(out io.Writer, r result, field string) {
	if t := r.tallies[field]; t.right == t.want && t.got == t.want {
		return
	}
	want, got := describeField(field, r.truth, r.found)
	_, _ = fmt.Fprintf(out, "%s\n", r.truth.File)
	for _, value := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return isEqual(value, g) }) {
			_, _ = fmt.Fprintf(out, "  missed  %s\n", value)
		}
	}
	for _, value := range got {
		if !slices.ContainsFunc(want, func(w string) bool { return isEqual(w, value) }) {
			_, _ = fmt.Fprintf(out, "  found   %s\n", value)
		}
	}
}

// describeField returns a field's values in the truth and in what was found.
func describeField(field string, t truth, f found) (want, got []string) {
	title, company := t.currentJob()
	switch field {
	case "jobs", "dates":
		for _, j := range t.Jobs {
			want = append(want, fmt.Sprintf("%s | %s | %s – %s", j.Title, j.Company, j.Start, j.End))
		}
		for _, j := range f.Jobs {
			got = append(got, fmt.Sprintf("%s | %s | %s – %s", j.Title, j.Company, j.Start, j.End))
		}
		return want, got
	case "schools", "degrees":
		for _, e := range t.Studies {
			want = append(want, e.School+" | "+e.Degree)
		}
		for _, e := range f.Studies {
			got = append(got, e.School+" | "+e.Degree)
		}
		return want, got
	}
	pair := map[string][2][]string{"name": {{t.Name}, {f.Name}}, "e-mail": {{t.Email}, f.Emails}, "LinkedIn": {{t.LinkedIn}, {f.LinkedIn}},
		"current title": {{title}, {f.title}}, "current company": {{company}, {f.company}},
		"skills": {t.Skills, f.Skills}, "languages": {t.Languages, f.Languages}}[field]
	return pair[0], pair[1]
}
