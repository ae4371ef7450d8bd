package main

import (
	"html"
	"os"
	"path"
	"regexp"
	"strings"
)

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
