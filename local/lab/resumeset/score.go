package main

import (
	"errors"
	"fmt"
	"io"
	"os"
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
		r.printErrors(os.Stdout, c.Errors)
	}
	if len(results) == 0 {
		return errors.New("no files; first run: go run ./local/lab/resumeset make")
	}
	printFields(os.Stdout, classify(results))
	printConfidence(os.Stdout, results)
	return nil
}

// printErrors prints what of a field was missed in a file, and what was found instead.
func (r result) printErrors(out io.Writer, name string) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if t := r.tallies[name]; i < 0 || t.right == t.want && t.got == t.want {
		return
	}
	want := fields[i].want(r.truth)
	got := fields[i].got(r.found)
	_, _ = fmt.Fprintf(out, "%s\n", r.truth.File)
	printOthers(out, "missed", want, got)
	printOthers(out, "found ", got, want)
}

// printOthers prints the values that equal none of the others.
func printOthers(out io.Writer, what string, values, others []string) {
	for _, value := range values {
		if !slices.ContainsFunc(others, func(other string) bool { return isEqual(value, other) }) {
			_, _ = fmt.Fprintf(out, "  %s  %s\n", what, value)
		}
	}
}
