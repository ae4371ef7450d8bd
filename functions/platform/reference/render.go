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
	//go:embed changes.atom
	feedTemplate string
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

func renderText(text string) []byte {
	functions := template.FuncMap{"join": openapi.JoinScopes, "words": operationTitle, "flat": flattenFields}
	shown := template.Must(template.New("text").Funcs(functions).Parse(text))
	var out bytes.Buffer
	if err := shown.Execute(&out, readContents()); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// operationTitle returns an operation's name as a heading: "Get batch" for "getBatch",
// "List CRM candidates" for "listCRMCandidates".
func operationTitle(operation string) string {
	if title, ok := spelledTitles[operation]; ok {
		return title
	}
	words := strings.Fields(wordEnd.ReplaceAllString(operation, "$1$3 $2$4"))
	for i, word := range words {
		if word != strings.ToUpper(word) {
			words[i] = strings.ToLower(word)
		}
	}
	title := strings.Join(words, " ")
	return strings.ToUpper(title[:1]) + title[1:]
}

// wordEnd matches where a word ends: before the last of several capitals, or after a small letter.
var wordEnd = regexp.MustCompile(`([A-Z]+)([A-Z][a-z])|([a-z])([A-Z])`)

// spelledTitles holds the headings that do not follow from the name.
var spelledTitles = map[string]string{
	"docs": "Reference", "docsPage": "Page of the reference", "docsMarkdown": "Reference in Markdown",
	"llms": "llms.txt", "changeFeed": "Feed of changes", "openapiJSON": "OpenAPI in JSON", "openapiYAML": "OpenAPI in YAML",
	"submitBulk": "Submit in bulk", "lookupCandidates": "Look up candidates", "lookupPreferences": "Look up preferences",
	"putPreferences": "Replace preferences", "putFastTrack": "Set fast track",
	"offMarket": "Take off the market", "reEnable": "Put back on the market",
}
