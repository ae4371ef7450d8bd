package main

import (
	"strings"
	"unicode"
)

// operationTitle returns an operation's name as a heading: "Get batch" for "getBatch",
// "List CRM candidates" for "listCRMCandidates".
func operationTitle(operation string) string {
	if title, ok := spelledTitles[operation]; ok {
		return title
	}
	var all []string
	start := 0
	for i := 1; i <= len(operation); i++ {
		if i < len(operation) && !startsWord(operation, i) {
			continue
		}
		word := operation[start:i]
		if word != strings.ToUpper(word) {
			word = strings.ToLower(word)
		}
		all = append(all, word)
		start = i
	}
	return strings.ToUpper(all[0][:1]) + strings.Join(all, " ")[1:]
}

// spelledTitles holds the headings that do not follow from the name.
var spelledTitles = map[string]string{
	"docs": "Reference", "docsPage": "Page of the reference", "docsMarkdown": "Reference in Markdown", "llms": "llms.txt", "changeFeed": "Feed of changes",
	"submitBulk": "Submit in bulk", "lookupCandidates": "Look up candidates", "lookupPreferences": "Look up preferences",
	"putPreferences": "Replace preferences", "putFastTrack": "Set fast track", "offMarket": "Take off the market", "reEnable": "Put back on the market",
	"openapiJSON": "OpenAPI in JSON", "openapiYAML": "OpenAPI in YAML",
}

// startsWord reports whether a word begins at i: a capital after a small letter, or the last of several capitals.
func startsWord(s string, i int) bool {
	if !isUpper(s, i) {
		return false
	}
	isLast := i+1 < len(s) && !isUpper(s, i+1)
	return isLast || !isUpper(s, i-1)
}

func isUpper(s string, i int) bool { return i < len(s) && unicode.IsUpper(rune(s[i])) }
