package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"regexp"
	"strings"
	texttemplate "text/template"
)

var (
	//go:embed page.tmpl
	pageTemplate string
	//go:embed docs.css
	style template.CSS
	//go:embed docs.js
	script template.JS
	//go:embed search.js
	searchScript template.JS
	//go:embed endpoints.md
	endpointsTemplate string
	//go:embed llms.txt
	indexTemplate string
)

// page is the data of the page.
type page struct {
	contents
	Style  template.CSS
	Script template.JS
	Guides []guide
}

// renderPage returns the whole page.
func renderPage() ([]byte, error) {
	c, err := readContents()
	if err != nil {
		return nil, err
	}
	guides, err := guideSections(c)
	if err != nil {
		return nil, err
	}
	shown, err := template.New("page").Funcs(template.FuncMap{
		"words": operationTitle, "highlight": highlightCode, "lower": strings.ToLower, "anchor": valueAnchor,
		"nest": func(id string, fields []field) nested { return nested{id, fields} },
	}).Parse(pageTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = shown.Execute(&out, page{c, style, script + searchScript, guides})
	return out.Bytes(), err
}

// notInAnchors is what anchors of values do not have.
var notInAnchors = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// valueAnchor returns the anchor of a value of an enumeration.
func valueAnchor(enum, value string) string {
	sign := map[byte]string{'<': "under-", '>': "over-"}[value[0]]
	return enum + "-" + sign + strings.Trim(notInAnchors.ReplaceAllString(value, "-"), "-")
}

// nested is fields of an object, whose ids begin with ID.
type nested struct {
	ID     string
	Fields []field
}

// renderMarkdown returns the reference in Markdown.
func renderMarkdown() ([]byte, error) {
	c, err := readContents()
	if err != nil {
		return nil, err
	}
	guides, err := renderGuides(c)
	if err != nil {
		return nil, err
	}
	endpoints, err := renderText(endpointsTemplate, c)
	return append([]byte("# Recruiting Marketplace External API\n\n"+guides), endpoints...), err
}

// renderIndex returns llms.txt.
func renderIndex() ([]byte, error) {
	c, err := readContents()
	if err != nil {
		return nil, err
	}
	return renderText(indexTemplate, c)
}

func renderText(text string, c contents) ([]byte, error) {
	shown, err := texttemplate.New("text").Funcs(texttemplate.FuncMap{"join": joinCode, "words": operationTitle, "flat": flattenFields}).Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = shown.Execute(&out, c)
	return out.Bytes(), err
}
