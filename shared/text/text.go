// Package text compares human text. [Fold] makes spellings of one thing equal:
// case, accents, width and ligatures disappear. [Words] splits text into folded
// words for searching. [Distance] counts the edits between two words. [IsSingleLine] and
// [IsPlain] find control characters.
//
// It knows no language: no stemming, no stop words, no segmentation of scripts
// written without spaces. Names of people have rules of their own (package personname).
package text

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters spells plainly what lower-casing and decomposition leave alone.
var letters = strings.NewReplacer("ł", "l", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ı", "i",
	"ß", "ss", "ς", "σ")

// Fold returns s in a form that compares equal for any case, accent and width:
// "ＣＡＦÉ" and "café" are both "cafe". Invalid UTF-8 becomes U+FFFD.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	s = strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD")))
	s = strings.Map(func(r rune) rune {
		if unicode.IsMark(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	return norm.NFC.String(letters.Replace(s))
}

// Words returns the folded words of s in order: runs of letters and digits,
// without apostrophes ("Lowe's" is "lowes") and with a trailing run of + and #
// ("C++", "C#").
func Words(s string) []string { return strings.Fields(string(AppendWords(nil, s))) }

// AppendWords appends the words of s to dst, each followed by one space, for
// callers that split millions of texts.
func AppendWords(dst []byte, s string) []byte {
	if !isASCII(s) {
		s = Fold(s)
	}
	inWord := false
	for i := 0; i < len(s); {
		if c := lowered[s[i]]; c != 0 { // fast path for ASCII letters and digits
			dst = append(dst, c)
			inWord = true
			i++
			continue
		}
		r := rune(s[i])
		size := 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case inWord && (r == '\'' || r == '’' || r == 'ʼ'):
		case r >= utf8.RuneSelf && isWordRune(r):
			dst = append(dst, s[i:i+size]...)
			inWord = true
		case inWord:
			suffix := symbolSuffixLen(s[i:])
			dst = append(append(dst, s[i:i+suffix]...), ' ')
			inWord = false
			size = max(size, suffix)
		}
		i += size
	}
	if inWord {
		dst = append(dst, ' ')
	}
	return dst
}

// lowered maps ASCII letters and digits to lower case, everything else to 0.
var lowered = func() (t [256]byte) {
	for c := '0'; c <= '9'; c++ {
		t[c] = byte(c)
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c] = byte(c)
		t[c-'a'+'A'] = byte(c)
	}
	return t
}()

// symbolSuffixLen returns the length of the run of + and # at the start of s, or 0
// if a word continues after it ("sales+marketing" is two words).
func symbolSuffixLen(s string) int {
	n := 0
	for n < len(s) && (s[n] == '+' || s[n] == '#') {
		n++
	}
	if n == 0 {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(s[n:]); n < len(s) && isWordRune(r) {
		return 0
	}
	return n
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsSingleLine reports whether s, a name for example, has neither a control character nor one that
// changes the direction of the text after it: in a terminal, a mail or a file such a name
// passes for something else.
func IsSingleLine(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		// The marks U+200E and U+200F change none: names in Hebrew and Arabic have them.
		changesDirection := '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
		return changesDirection || unicode.IsControl(r)
	})
}

// IsPlain reports whether s has no control characters but tabs and line ends.
func IsPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) })
}

// Expression returns a function that compiles a regular expression on its first call, and panics
// there if it is invalid. Expressions that are compiled in package variables make every start of a
// function slower.
func Expression(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// maxDistanceLetters keeps every distance within the 8 bits of a cell.
const maxDistanceLetters = 250

// Distance returns the number of edits that turn a into b, or limit+1 if it takes
// more than limit. An edit replaces, adds or removes a letter, or swaps two
// neighbours; no letter is edited twice (optimal string alignment). Words of more
// than 250 letters are not compared: their distance is limit+1.
func Distance[T byte | rune](a, b []T, limit int) int {
	if max(len(a), len(b)) > maxDistanceLetters || max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	before := make([]uint8, len(b)+1)
	above := make([]uint8, len(b)+1)
	row := make([]uint8, len(b)+1)
	for j := range above {
		above[j] = uint8(j)
	}
	for i := range a {
		if NextDistances(row, above, before, b, a[:i+1], limit) > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return min(int(above[len(b)]), limit+1)
}

// NextDistances fills row[j] with the distance between path and the first j
// letters of word, and returns the least of them, which no longer path can go
// below. Distances above limit are not exact: any number above limit may represent them.
// Cells with a j that differs from path's length by more than limit are not filled.
// above is the row of path without its last letter, before that of path
// without its last two; the row of an empty path is 0, 1, 2 and so on. Callers that
// compare many words in order reuse the rows of a common prefix, with one limit. The rows have
// len(word)+1 cells; path has at least one letter and, like word, at most 250.
func NextDistances[T byte | rune](row, above, before []uint8, word, path []T, limit int) int {
	depth := len(path)
	letter := path[depth-1]
	row = row[:len(word)+1]
	above = above[:len(word)+1]
	before = before[:len(word)+1]
	limit = min(limit, maxDistanceLetters)
	first := max(1, depth-limit)
	last := min(len(word), depth+limit)
	if first > len(row) {
		return limit + 1
	}
	row[first-1] = uint8(min(depth, limit+1))
	least := row[first-1]
	for j := first; j <= last; j++ {
		cost := above[j-1]
		if word[j-1] != letter {
			cost = min(cost, above[j], row[j-1]) + 1
			// A swap costs no less than the replacement in the row above, so least
			// bounds later rows although swaps reach back two.
			if depth > 1 && j > 1 && word[j-2] == letter && word[j-1] == path[depth-2] {
				cost = min(cost, before[j-2]+1)
			}
		}
		row[j] = cost
		least = min(least, cost)
	}
	if last+1 < len(row) {
		row[last+1] = uint8(limit + 1) // the next row reads it
	}
	return int(least)
}
