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
