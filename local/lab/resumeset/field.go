package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// field is a column of the table: what a truth has of it, what was found, and the name
// of its confidence. Empty values are none.
type field struct {
	name, confidence string
	want             func(truth) []string
	got              func(found) []string
}

// fields are the columns in their order. Jobs and their dates are compared as wholes
// (addJobs); their values are for printErrors.
var fields = []field{
	{"name", "name", func(t truth) []string { return []string{t.Name} }, func(f found) []string { return []string{f.Name} }},
	{"e-mail", "emails", func(t truth) []string { return []string{t.Email} }, func(f found) []string { return f.Emails }},
	{"LinkedIn", "linkedinUrl", func(t truth) []string { return []string{t.LinkedIn} }, found.firstLinkedIn},
	{"current title", "", func(t truth) []string { return []string{t.currentJob().Title} }, func(f found) []string { return []string{f.Title} }},
	{"current company", "", func(t truth) []string { return []string{t.currentJob().Company} }, func(f found) []string { return []string{f.Company} }},
	{"jobs", "", func(t truth) []string { return describeJobs(t.Jobs) }, func(f found) []string { return describeJobs(f.jobs) }},
	{"dates", "", func(t truth) []string { return describeJobs(t.Jobs) }, func(f found) []string { return describeJobs(f.jobs) }},
	{"schools", "education", func(t truth) []string { return listSchools(t.Studies) }, func(f found) []string { return listSchools(f.studies) }},
	{"degrees", "education", func(t truth) []string { return listDegrees(t.Studies) }, func(f found) []string { return listDegrees(f.studies) }},
	{"skills", "skills", func(t truth) []string { return t.Skills }, func(f found) []string { return f.Skills }},
	{"languages", "languages", func(t truth) []string { return t.Languages }, func(f found) []string { return f.Languages }},
}

func listFieldNames() []string { return listValues(fields, func(f field) string { return f.name }) }

// listValues returns a value of each of several things.
func listValues[T any](all []T, value func(T) string) []string {
	var values []string
	for _, one := range all {
		values = append(values, value(one))
	}
	return values
}

func isEmpty(value string) bool { return value == "" }

func (f found) firstLinkedIn() []string { return f.LinkedIn[:min(1, len(f.LinkedIn))] }

func listSchools(studies []truthStudy) []string {
	return listValues(studies, func(e truthStudy) string { return e.School })
}

func listDegrees(studies []truthStudy) []string {
	return listValues(studies, func(e truthStudy) string { return e.Degree })
}

func describeJobs(jobs []truthJob) []string {
	return listValues(jobs, func(j truthJob) string { return fmt.Sprintf("%s | %s | %s – %s", j.Title, j.Company, j.Start, j.End) })
}

// currentJob returns the job without an end, if there is one.
func (t truth) currentJob() truthJob {
	if i := slices.IndexFunc(t.Jobs, func(j truthJob) bool { return j.End == "" }); i >= 0 {
		return t.Jobs[i]
	}
	return truthJob{}
}

// foldValue makes spellings equal that say the same: case, compatibility forms, spaces,
// dashes, quotes, marks of direction and punctuation at the ends.
func foldValue(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Pd, r):
			return '-'
		case strings.ContainsRune("‘’`´", r):
			return '\''
		case strings.ContainsRune("“”„«»", r):
			return '"'
		}
		return r
	}, s)
	return strings.Trim(strings.Join(strings.Fields(s), " "), " .,;:|·-")
}

// isEqual is the strict equality: the folded values are the same.
func isEqual(want, got string) bool { return foldValue(want) == foldValue(got) }

// isAlike is the lenient equality: the words are the same in any order, one value
// contains the other, or most words are common.
func isAlike(want, got string) bool {
	a := foldValue(want)
	b := foldValue(got)
	if a == "" || b == "" {
		return a == b
	}
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	x := splitWords(a)
	y := splitWords(b)
	common := 0
	for _, word := range x {
		if i := slices.Index(y, word); i >= 0 {
			common++
			y = slices.Delete(y, i, i+1)
		}
	}
	return 2*common*10 >= 6*(len(x)+len(y)+common) // F1 of at least 0.6
}

func splitWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.Nd, unicode.M) })
}

// isSameMonth compares a date with the precision that the file shows. Of a quarter any
// month is right, and the year alone.
func isSameMonth(want, got string) bool {
	year, quarter, ok := strings.Cut(want, "-Q")
	if !ok || !strings.HasPrefix(got, year) {
		return want == got
	}
	months := map[string]string{"1": "01 02 03", "2": "04 05 06", "3": "07 08 09", "4": "10 11 12"}[quarter]
	_, month, _ := strings.Cut(got, "-")
	return strings.Contains(months, month)
}

// isWithin reports whether a text says a value: in one piece, or each of its words.
func isWithin(value, text string) bool {
	squeeze := func(s string) string { return strings.Join(splitWords(foldValue(s)), "") }
	text = squeeze(text)
	if strings.Contains(text, squeeze(value)) {
		return true
	}
	return !slices.ContainsFunc(splitWords(foldValue(value)), func(word string) bool { return !strings.Contains(text, word) })
}

// found is what the reader found in a file.
type found struct {
	resume.Fields

	jobs    []truthJob
	studies []truthStudy
	text    string // of the file
}

// readingDay ends the current jobs.
var readingDay = time.Date(lastYear, time.June, 15, 0, 0, 0, 0, time.UTC)

// readFile reads a file with the reader that is measured. One that cannot be read is
// found to hold nothing.
func readFile(file string) (found, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return found{}, err
	}
	doc, err := resume.Read(context.Background(), content)
	if _, isUnreadable := errors.AsType[*resume.Failure](err); isUnreadable {
		return found{}, nil
	}
	if err != nil {
		return found{}, err
	}
	f := found{Fields: resume.Extract(doc, readingDay)}
	for _, e := range f.Experiences {
		f.jobs = append(f.jobs, truthJob{e.Title, e.Company, e.Start.String(), e.End.String()})
	}
	for _, e := range f.Education {
		f.studies = append(f.studies, truthStudy{e.School, e.Degree})
	}
	for _, block := range doc.Blocks {
		f.text += strings.Join(block, "\n") + "\n"
	}
	f.text += strings.Join(doc.Links, "\n")
	return f, nil
}
