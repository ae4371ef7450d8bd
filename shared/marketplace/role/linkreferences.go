package role

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// removeReferences takes out Markdown's links by reference: of their uses the text stays, their
// definitions go. A use has a defined label, a number or no label, and does not follow a word, as an
// index of code does.
func removeReferences(s string) string {
	defined := map[string]bool{}
	for _, found := range markdownRef().FindAllStringSubmatch(s, -1) {
		defined[text.Fold(found[1])] = true
	}
	s = markdownRef().ReplaceAllString(s, "")
	s = replaceUses(s, markdownUse().FindAllStringSubmatchIndex(s, -1), func(label string) bool {
		return label == "" || strings.Trim(label, "0123456789") == "" || defined[text.Fold(label)]
	})
	if len(defined) == 0 {
		return s
	}
	return replaceUses(s, shortUse().FindAllStringSubmatchIndex(s, -1), func(label string) bool { return defined[text.Fold(label)] })
}

// replaceUses replaces each use with its text if its label, the last group of the match, is that of
// a link.
func replaceUses(s string, uses [][]int, isLink func(label string) bool) string {
	var out strings.Builder
	from := 0
	for _, at := range uses {
		label := s[at[len(at)-2]:at[len(at)-1]]
		if at[0] > 0 && isIndexed(s[at[0]-1]) || !isLink(label) {
			continue
		}
		out.WriteString(s[from:at[0]])
		out.WriteString(s[at[2]:at[3]])
		from = at[1]
	}
	return out.String() + s[from:]
}

// isIndexed reports whether brackets behind c are an index of code.
func isIndexed(c byte) bool {
	isDigit := '0' <= c && c <= '9'
	isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
	return isDigit || isLetter || strings.IndexByte("_])", c) >= 0
}
