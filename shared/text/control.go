package text

import (
	"strings"
	"unicode"
)

// IsSingleLine reports whether s, a name for example, has neither a control character nor one that
// changes the direction of the text after it: in a terminal, a mail or a file such a name
// passes for something else.
func IsSingleLine(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || isDirectionChange(r) })
}

// IsPlain reports whether s has no control characters but tabs and line ends.
func IsPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) })
}

// isDirectionChange reports whether r embeds, overrides or isolates a direction. The marks U+200E
// and U+200F are none: names in Hebrew and Arabic have them.
func isDirectionChange(r rune) bool {
	return '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}
