package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsVirama reports whether r joins the consonants beside it to one syllable in a script of India.
func IsVirama(r rune) bool { return IsIndic(r) && r&0x7f == 0x4d }

// IsIndic reports whether r is of a script of India or Sri Lanka.
func IsIndic(r rune) bool { return r >= 0x900 && r < 0xd80 }

// IsLoneMark reports whether a span is only the mark of a timeline or list.
func IsLoneMark(text string) bool {
	return text != "" && strings.Contains("●○◆■◦▪•", text)
}

// StartsLower reports whether the first letter is small.
func StartsLower(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(first)
}

// IsRightToLeft reports whether text is Arabic or Hebrew, where the next word is on the left.
func IsRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) })
}

// IsCapital reports whether the first letter is a capital.
func IsCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first) || unicode.IsTitle(first)
}
