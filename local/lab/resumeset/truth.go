package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// truth is what a file says about its person, beside it as FILE.truth.json.
type truth struct {
	File     string `json:"file"`
	Family   string `json:"family"`
	Format   string `json:"format"` // extension
	Layout   string `json:"layout"`
	Language string `json:"language"`
	HeldOut  string `json:"heldOut,omitempty"` // family or language

	Name      string     `json:"name"`
	Email     string     `json:"email"`
	LinkedIn  string     `json:"linkedinUrl"`
	Jobs      []truthJob `json:"experiences"`
	Studies   []study    `json:"education"`
	Skills    []string   `json:"skills"`
	Languages []string   `json:"languages"` // English names
}

// truthJob has dates as precise as the file shows them: 2019, 2019-03 or 2019-Q1. A current job has no end.
type truthJob struct {
	Title   string `json:"title"`
	Company string `json:"company"`
	Start   string `json:"start"`
	End     string `json:"end"`
}

const truthSuffix = ".truth.json"

// newTruth returns what a person's resume says in a style, which may leave out sections.
func newTruth(p person, s style, of plan) truth {
	layout, _, _ := strings.Cut(s.Layout, "-")
	t := truth{
		Family: of.family.Name, Format: of.format, Layout: layout, Language: of.code, HeldOut: of.heldOut,
		Name: p.Name, Email: p.Email, LinkedIn: p.LinkedIn, Studies: slices.Clone(p.Studies),
	}
	for _, j := range p.Jobs {
		t.Jobs = append(t.Jobs, truthJob{j.Title, j.Company, s.shownMonth(j.Start), s.shownMonth(j.End)})
	}
	if s.Shows("skills") {
		t.Skills = p.Skills
	}
	if s.Shows("tongues") {
		for _, spoken := range p.Tongues {
			t.Languages = append(t.Languages, englishName(spoken.Code))
		}
	}
	return t
}

func (t truth) write(file string) error {
	return os.WriteFile(file+truthSuffix, must(json.MarshalIndent(t, "", " ")), 0o644)
}

func readTruths(dir string) ([]truth, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+truthSuffix))
	if err != nil {
		return nil, err
	}
	var all []truth
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a truth: %w", err)
		}
		var t truth
		if err := json.Unmarshal(content, &t); err != nil {
			return nil, fmt.Errorf("decode a truth: %w", err)
		}
		t.File = strings.TrimSuffix(file, truthSuffix)
		all = append(all, t)
	}
	return all, nil
}

// englishName returns the English name of a spoken language, or "" for an unknown code.
func englishName(code string) string { return display.English.Languages().Name(bcp47.Make(code)) }

var (
	styleElement = regexp.MustCompile(`(?s)<(style|script|head)\b.*?</(style|script|head)>`)
	anyTag       = regexp.MustCompile(`<[^>]*>`)
)

// pruneTruth writes the truth of a theme's page again, without what the theme left out.
func pruneTruth(t truth, p person, page, file string) error {
	content, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("read the page of a truth: %w", err)
	}
	links := html.UnescapeString(string(content))
	text := html.UnescapeString(anyTag.ReplaceAllString(styleElement.ReplaceAllString(string(content), " "), " "))
	if !strings.Contains(links, path.Base(t.LinkedIn)) {
		t.LinkedIn = ""
	}
	if !isWithin(t.Email, text) {
		t.Email = ""
	}
	for i, e := range t.Studies {
		if !isWithin(e.Degree, text) {
			t.Studies[i].Degree = ""
		}
	}
	if !isWithin(p.Skills[0], text) {
		t.Skills = nil
	}
	if !isWithin(p.Tongues[0].Name, text) {
		t.Languages = nil
	}
	return t.write(file)
}

// field is a column of the table: its values in a truth and in what was found, and the name of its confidence. Empty
// values are none.
type field struct {
	name, confidence string
	values           func(found) []string
}

// fields are the columns in their order. Jobs and their dates are compared as wholes
// (compareFile); their values are for --errors.
var fields = []field{
	{"name", "name", func(f found) []string { return []string{f.Name} }},
	{"e-mail", "emails", func(f found) []string { return f.Emails }},
	{"LinkedIn", "linkedinUrl", func(f found) []string { return f.LinkedIn[:min(1, len(f.LinkedIn))] }},
	{"current title", "", func(f found) []string { return []string{f.Title} }},
	{"current company", "", func(f found) []string { return []string{f.Company} }},
	{"jobs", "", func(f found) []string { return listValues(f.jobs, truthJob.String) }},
	{"dates", "", func(f found) []string { return listValues(f.jobs, truthJob.String) }},
	{"schools", "education", func(f found) []string { return listValues(f.studies, func(e study) string { return e.School }) }},
	{"degrees", "education", func(f found) []string { return listValues(f.studies, func(e study) string { return e.Degree }) }},
	{"skills", "skills", func(f found) []string { return f.Skills }},
	{"languages", "languages", func(f found) []string { return f.Languages }},
}

func listFieldNames() []string { return listValues(fields, func(f field) string { return f.name }) }

func listValues[T any](all []T, value func(T) string) []string {
	var values []string
	for _, one := range all {
		values = append(values, value(one))
	}
	return values
}

func isEmpty(value string) bool { return value == "" }

func (j truthJob) String() string {
	return fmt.Sprintf("%s | %s | %s – %s", j.Title, j.Company, j.Start, j.End)
}

// stated returns what a perfect reader finds in the file.
func (t truth) stated() found {
	var current truthJob
	if i := slices.IndexFunc(t.Jobs, func(j truthJob) bool { return j.End == "" }); i >= 0 {
		current = t.Jobs[i]
	}
	return found{jobs: t.Jobs, studies: t.Studies, Fields: resume.Fields{
		Name: t.Name, Emails: []string{t.Email}, LinkedIn: []string{t.LinkedIn}, Title: current.Title, Company: current.Company,
		Skills: t.Skills, Languages: t.Languages,
	}}
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

// isSameMonth compares dates as precisely as the file shows. Of a quarter any month is right, and the year alone.
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
	studies []study
	text    string // of the file
}

// readingDay ends the current jobs.
var readingDay = time.Date(lastYear, time.June, 15, 0, 0, 0, 0, time.UTC)

// readFile reads a file with the reader that is measured. One that cannot be read holds nothing.
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
		return found{}, fmt.Errorf("read the document: %w", err)
	}
	f := found{Fields: resume.Extract(doc, readingDay)}
	for _, e := range f.Experiences {
		f.jobs = append(f.jobs, truthJob{e.Title, e.Company, e.Start.String(), e.End.String()})
	}
	for _, e := range f.Education {
		f.studies = append(f.studies, study{School: e.School, Degree: e.Degree})
	}
	for _, block := range doc.Blocks {
		f.text += strings.Join(block, "\n") + "\n"
	}
	f.text += strings.Join(doc.Links, "\n")
	return f, nil
}
