package main

import (
	"encoding/json"
	"html"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Numbers of the held-out set's files.
const (
	perHeldOutLanguage = 24  // written by the development families
	perHeldOutEnglish  = 200 // by the held-out families
	perOtherLanguage   = 8   // by the held-out families, in a language of the development set
)

// planHeldOut plans the held-out set: development families in languages that are held
// out, and held-out families in other languages, of which English has words of its own.
func planHeldOut() ([]plan, error) {
	languages, err := readLanguages("heldout/languages")
	if err != nil {
		return nil, err
	}
	known, err := developmentLanguages()
	if err != nil {
		return nil, err
	}
	own, err := readFamilies("heldout/families.json")
	if err != nil {
		return nil, err
	}
	plans := planEverywhere(own, languages["en"], perHeldOutEnglish, known, perOtherLanguage)
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		if code != "en" {
			plans = append(plans, planFamilies(families, code, languages[code], perHeldOutLanguage, "language")...)
		}
	}
	return plans, nil
}

// planEverywhere plans files of families in English, which has words of its own, and in the other languages
// of the development set.
func planEverywhere(own []family, english language, inEnglish int, known map[string]language, inOthers int) []plan {
	plans := planFamilies(own, "en", english, inEnglish, "family")
	for _, code := range slices.Sorted(maps.Keys(known)) {
		if code != "en" {
			plans = append(plans, planFamilies(usableFamilies(own, code), code, known[code], inOthers, "family")...)
		}
	}
	return plans
}

// readFamilies reads families that are data.
func readFamilies(file string) ([]family, error) {
	content, err := fs.ReadFile(data, file)
	if err != nil {
		return nil, err
	}
	var own []family
	err = json.Unmarshal(content, &own)
	return own, err
}

var (
	styleElement = regexp.MustCompile(`(?s)<(style|script|head)\b.*?</(style|script|head)>`)
	anyTag       = regexp.MustCompile(`<[^>]*>`)
)

// stripPage returns the text of a page without its tags.
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
