package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxValues is how many addresses of each kind are kept; a resume has a handful.
const MaxValues = 20

// AppendNew appends a value that the list lacks, up to MaxValues of them.
func AppendNew(list []string, value string) []string {
	if len(list) >= MaxValues || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

const maxWords = 10 // of a title or a company

// IsShort reports whether a piece has at least one word, at most as many as a title or a company, and no address.
func IsShort(piece string) bool {
	words := len(strings.Fields(piece))
	isAddress := strings.LastIndexAny(piece, "@\\") > 0 || strings.Contains(piece, "://") // not "@Work Staffing"
	return words > 0 && words <= maxWords && !isAddress
}

// Last returns the last word of a line.
func Last(s string) string {
	s = s[max(0, len(s)-MaxLine):]
	return s[strings.LastIndexAny(s, " \t")+1:]
}

// First returns the first word of a line.
func First(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}

const MaxLine = 500 // characters; longer lines are split

// IsVirama reports whether r joins the consonants beside it to one syllable in a script of India.
func IsVirama(r rune) bool { return IsIndic(r) && r&0x7f == 0x4d }

// IsIndic reports whether r is of a script of India or Sri Lanka.
func IsIndic(r rune) bool { return r >= 0x900 && r < 0xd80 }

// IsLoneMark reports whether a span is only the mark of a timeline or list.
func IsLoneMark(text string) bool {
	return text != "" && strings.Contains("●○◆■◦▪•", text)
}

// IsAny reports whether one of some predicates holds for a text.
func IsAny(text string, predicates ...func(string) bool) bool {
	return slices.ContainsFunc(predicates, func(holds func(string) bool) bool { return holds(text) })
}

// Merge returns a list in which each text that join accepts is joined to the one before it, which may be the result of a join itself.
func Merge(list []string, join func(last, next string) (both string, ok bool)) []string {
	var out []string
	for _, next := range list {
		if n := len(out) - 1; n >= 0 {
			if both, ok := join(out[n], next); ok {
				out[n] = both
				continue
			}
		}
		out = append(out, next)
	}
	return out
}

// Count returns for how many values of a list a predicate holds.
func Count[T any](list []T, holds func(T) bool) (n int) {
	for _, value := range list {
		if holds(value) {
			n++
		}
	}
	return n
}

// FirstRune returns the first character of a text.
func FirstRune(s string) rune {
	first, _ := utf8.DecodeRuneInString(s)
	return first
}

// IsRightToLeft reports whether text is Arabic or Hebrew, where the next word is on the left.
func IsRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) })
}

// HasLatin reports whether a text has a Latin letter.
func HasLatin(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
}

// IsCapital reports whether the first letter is a capital.
func IsCapital(text string) bool {
	first := FirstRune(text)
	return unicode.IsUpper(first) || unicode.IsTitle(first)
}
