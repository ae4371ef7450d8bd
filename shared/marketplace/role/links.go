package role

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// topLevels are the last parts of most domains.
const topLevels = `com|org|net|io|ai|co|dev|app|me|ly|gg|so|xyz|tech|info|biz|us|uk|eu|de|fr|es|nl|ca|au|page|site|link|video|tv|to|be`

// What a link looks like in prose. The texts of links stay.
var (
	markdownLink = text.Expression(`!?\[([^\[\]]*)\]\(\s*<?[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*>?(?:\s+["'(][^)]*)?\s*\)`)
	markdownRef  = text.Expression(`(?m)^[ \t]*\[[^\[\]]+\]:[ \t]*\S+.*$`)
	htmlLink     = text.Expression(`(?i)</?\s*(?:a|img|iframe|video|audio|source|link|area|object|embed)\b[^<>]*>`)
	address      = text.Expression(`(?i)(?:[a-z][a-z0-9+.-]*:(?://|\\\\)|\bwww\d?\.|\b(?:mailto|tel|javascript|data):)[^\s<>"'` + "`" + `]*`)
	bareLink     = text.Expression(`(?i)\b(?:[\pL\pN-]+\.)+(?:` + topLevels + `)(?::\d+)?/[^\s<>"'` + "`" + `]*`)
	emptied      = text.Expression(`[(\[<]\s*[)\]>]`)
	spaces       = text.Expression(`[ \t]{2,}`)
)

// maxNestedLinks bounds how deep links may lie in links before a text is given up: no
// person wrote it.
const maxNestedLinks = 32

// removeLinks takes embedded links out of prose and keeps the words around them.
// It goes on until nothing is found, because what is left may close up to a link.
func removeLinks(s string) string {
	for range maxNestedLinks {
		next := markdownLink().ReplaceAllString(s, "$1")
		next = markdownRef().ReplaceAllString(next, "")
		next = htmlLink().ReplaceAllString(next, "")
		next = address().ReplaceAllStringFunc(next, trailingPunctuation)
		next = bareLink().ReplaceAllStringFunc(next, trailingPunctuation)
		if next == s {
			return s
		}
		next = emptied().ReplaceAllString(next, "")
		s = strings.TrimSpace(spaces().ReplaceAllString(next, " "))
	}
	return ""
}

// trailingPunctuation is what is left of a link that is taken out: the sentence's punctuation,
// which is no part of it.
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
