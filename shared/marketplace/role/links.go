package role

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// What a link looks like in prose. The texts of links stay.
var (
	markdownLink = text.Expression(`!?\[([^\[\]]*)\]\(\s*<?[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*>?(?:\s+["'(][^)]*)?\s*\)`)
	markdownRef  = text.Expression(`(?m)^[ \t]*\[([^\[\]]+)\]:[ \t]*\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t\r]*$`)
	markdownUse  = text.Expression(`!?\[([^\[\]]+)\]\[([^\[\]]*)\]`)
	shortUse     = text.Expression(`!?\[([^\[\]]+)\]`)
	htmlLink     = text.Expression(`(?i)</?\s*(?:a|img|iframe|video|audio|source|link|area|object|embed)\b[^<>]*>`)
	address      = text.Expression(`(?i)(?:[a-z][a-z0-9+.-]*:(?://|\\\\)|\bwww\d?\.|\b(?:mailto|tel|javascript|data):)[^\s<>"'` + "`" + `]*`)
	emptied      = text.Expression(`[(\[<]\s*[)\]>]`)
	spaces       = text.Expression(`[ \t]{2,}`)
)

// maxNestedLinks bounds how deep links may lie in links before a text is given up: no
// person wrote it.
const maxNestedLinks = 32

// removeLinks takes embedded links out of prose and keeps the words around them.
// It repeats until nothing is found, because what is left may close up to a link.
func removeLinks(s string) string {
	for range maxNestedLinks {
		next := removeLinksOnce(s)
		if next == s {
			return s
		}
		next = emptied().ReplaceAllString(next, "")
		s = strings.TrimSpace(spaces().ReplaceAllString(next, " "))
	}
	return ""
}

// removeLinksOnce takes out the links that are found in s as it is. An expression is only run on a
// text that has what every match of it contains, because most texts have no link.
func removeLinksOnce(s string) string {
	if strings.Contains(s, "](") {
		s = markdownLink().ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "]:") || strings.Contains(s, "][") {
		s = removeReferences(s)
	}
	if strings.Contains(s, "<") {
		s = htmlLink().ReplaceAllString(s, "")
	}
	if strings.Contains(s, ":") || containsWWW(s) {
		s = address().ReplaceAllStringFunc(s, trailingPunctuation)
	}
	if strings.Contains(s, ".") && strings.ContainsAny(s, "/?#:") {
		s = removeHostLinks(s)
	}
	return s
}

// containsWWW reports whether s contains "www" in any case.
func containsWWW(s string) bool {
	run := 0
	for i := 0; i < len(s) && run < 3; i++ {
		if run++; s[i]|0x20 != 'w' {
			run = 0
		}
	}
	return run == 3
}

// trailingPunctuation returns the part of a removed link that stays: the sentence's punctuation.
func trailingPunctuation(link string) string {
	end := link[len(strings.TrimRight(link, ".,;:!?)]}")):]
	if strings.Count(link, "(") >= strings.Count(link, ")") {
		end = strings.TrimLeft(end, ")")
	}
	if strings.HasPrefix(end, ":") || end == link {
		return "" // what begins with a colon could be taken for a scheme again
	}
	return end
}
