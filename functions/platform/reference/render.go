package main

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"
	"text/template"

	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

var (
	//go:embed endpoints.md
	endpointsTemplate string
	//go:embed llms.txt
	indexTemplate string
)

// notInAnchors is what anchors of values do not have.
var notInAnchors = regexp.MustCompile(`[^A-Za-z0-9_.]+`)

// valueAnchor returns the anchor of a value of an enumeration.
func valueAnchor(enum, value string) string {
	sign := map[byte]string{'<': "under-", '>': "over-"}[value[0]]
	return enum + "-" + sign + strings.Trim(notInAnchors.ReplaceAllString(value, "-"), "-")
}

// nested holds the fields of an object; their ids begin with ID.
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
	return renderText("# Recruiting Marketplace External API\n\n"+guidesText+endpointsTemplate, c)
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
	functions := template.FuncMap{"join": openapi.JoinScopes, "words": operationTitle, "flat": flattenFields}
	shown, err := template.New("text").Funcs(functions).Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = shown.Execute(&out, c)
	return out.Bytes(), err
}
