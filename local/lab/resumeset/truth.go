package main

import (
	"encoding/json"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	bcp47 "golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// truth is what a file says about its person, beside it as FILE.truth.json.
type truth struct {
	File     string `json:"file"`
	Family   string `json:"family"`
	Format   string `json:"format"` // extension
	Layout   string `json:"layout"`
	Language string `json:"language"`
	HeldOut  string `json:"heldOut,omitempty"` // family or language

	Name      string       `json:"name"`
	Email     string       `json:"email"`
	LinkedIn  string       `json:"linkedinUrl"`
	Jobs      []truthJob   `json:"experiences"`
	Studies   []truthStudy `json:"education"`
	Skills    []string     `json:"skills"`
	Languages []string     `json:"languages"` // English names
}

// truthJob is one job. Dates have the precision that the file shows: 2019, 2019-03 or
// 2019-Q1. A current job has no end.
type truthJob struct {
	Title   string `json:"title"`
	Company string `json:"company"`
	Start   string `json:"start"`
	End     string `json:"end"`
}

type truthStudy struct {
	School string `json:"school"`
	Degree string `json:"degree"`
}

const truthSuffix = ".truth.json"

// newTruth returns what a person's resume says in a style. What the style leaves out is
// left out.
func newTruth(p person, s style) truth {
	t := truth{Name: p.Name, Email: p.Email, LinkedIn: p.LinkedIn, Layout: s.Layout}
	for _, j := range p.Jobs {
		t.Jobs = append(t.Jobs, truthJob{j.Title, j.Company, s.shownMonth(j.Start), s.shownMonth(j.End)})
	}
	for _, e := range p.Studies {
		t.Studies = append(t.Studies, truthStudy{e.School, e.Degree})
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

// readTruths returns the truths of a set's files, by name.
func readTruths(dir string) ([]truth, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+truthSuffix))
	if err != nil {
		return nil, err
	}
	var all []truth
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t truth
		if err := json.Unmarshal(content, &t); err != nil {
			return nil, err
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

func stripPage(page string) string {
	return html.UnescapeString(anyTag.ReplaceAllString(styleElement.ReplaceAllString(page, " "), " "))
}

// pruneTruth writes the truth of a theme's page again, without what the theme left out.
func pruneTruth(t truth, p person, page, file string) error {
	content, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	links := html.UnescapeString(string(content))
	text := stripPage(string(content))
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
