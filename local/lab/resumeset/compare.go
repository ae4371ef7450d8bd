package main

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldValue makes spellings equal that say the same: case, compatibility forms, spaces,
// dashes, quotes, marks of direction and punctuation at the ends.
func foldValue(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Pd, r):
			return '-'
		case strings.ContainsRune("‘’`´", r):
			return '\''
		case strings.ContainsRune("“”„«»", r):
			return '"'
		}
		return r
	}, s)
	return strings.Trim(strings.Join(strings.Fields(s), " "), " .,;:|·-")
}

// isEqual is the strict equality: the folded values are the same.
func isEqual(want, got string) bool { return foldValue(want) == foldValue(got) }

// isAlike is the lenient equality: the words are the same in any order, one value
// contains the other, or most words are common.
func isAlike(want, got string) bool {
	a := foldValue(want)
	b := foldValue(got)
	if a == "" || b == "" {
		return a == b
	}
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	x := splitWords(a)
	y := splitWords(b)
	common := 0
	for _, word := range x {
		if i := slices.Index(y, word); i >= 0 {
			common++
			y = slices.Delete(y, i, i+1)
		}
	}
	return 2*common*10 >= 6*(len(x)+len(y)+common) // F1 of at least 0.6
}

func splitWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.Nd, unicode.M) })
}

// isSameMonth compares a date with the precision that the file shows. Of a quarter any
// month is right, and the year alone.
func isSameMonth(want, got string) bool {
	year, quarter, ok := strings.Cut(want, "-Q")
	if !ok || !strings.HasPrefix(got, year) {
		return want == got
	}
	months := map[string]string{"1": "01 02 03", "2": "04 05 06", "3": "07 08 09", "4": "10 11 12"}[quarter]
	_, month, _ := strings.Cut(got, "-")
	return strings.Contains(months, month)
}

// isWithin reports whether a text says a value: in one piece, or each of its words.
func isWithin(value, text string) bool {
	squeeze := func(s string) string { return strings.Join(splitWords(foldValue(s)), "") }
	text = squeeze(text)
	if strings.Contains(text, squeeze(value)) {
		return true
	}
	return !slices.ContainsFunc(splitWords(foldValue(value)), func(word string) bool { return !strings.Contains(text, word) })
}
