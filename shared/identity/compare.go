package identity

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Similarity is the result of comparing two names.
type Similarity string

// The three results. Names are also Uncertain if evidence is missing: an empty name,
// a first name alone, or names in different scripts.
const (
	Same      Similarity = "same"
	Uncertain Similarity = "uncertain"
	Different Similarity = "different"
)

// CompareNames compares two names as people write them: in any order, with initials
// and nicknames, without middle names or particles. Names that share only the first
// or only the family name are Different; words that merely look alike ("Daniel" and
// "Danielle") make them at most Uncertain.
func CompareNames(a, b string) Similarity {
	x, y := nameTokens(a), nameTokens(b)
	switch {
	case len(x) == 0 || len(y) == 0:
		return Uncertain
	case foldUmlauts(strings.Join(x, "")) == foldUmlauts(strings.Join(y, "")):
		return Same
	case areSameInChinese(x, y):
		return Same
	case isLatin(x) != isLatin(y):
		return Uncertain
	}
	x, y = joinPairs(x, y), joinPairs(y, x)
	x, y = removeWords(x, particles, 0), removeWords(y, particles, 0)
	if len(x) > len(y) {
		x, y = y, x
	}
	return judgeGrades(x, assignGrades(x, y))
}

// grade is how well one word of a name matches a word of the other, best first.
type grade int

const (
	exact grade = iota
	nickname
	initial
	alike
	none
)

// judgeGrades decides by the grades of the shorter name's words.
func judgeGrades(shorter []string, grades []grade) Similarity {
	count := make(map[grade]int)
	for _, g := range grades {
		count[g]++
	}
	full := count[exact] + count[nickname]
	switch {
	case count[none] == 0 && count[alike] == 0 && len(shorter) > 1 && full > 0:
		return Same
	case count[none] == 0, full > 1, count[alike] > 1 && full > 0:
		return Uncertain
	}
	return Different
}

// assignGrades pairs each word of x with its best unused word of y, best grades first,
// and returns the grades of x's words.
func assignGrades(x, y []string) []grade {
	grades := slices.Repeat([]grade{none}, len(x))
	used := make([]bool, len(y))
	for want := exact; want < none; want++ {
		for i := range x {
			for j := range y {
				if grades[i] == none && !used[j] && gradeWords(x[i], y[j]) == want {
					grades[i], used[j] = want, true
				}
			}
		}
	}
	return grades
}

func gradeWords(a, b string) grade {
	switch {
	case foldUmlauts(a) == foldUmlauts(b), soundsLike(a, b):
		return exact
	case areNicknames(a, b):
		return nickname
	case isInitial(a, b) || isInitial(b, a):
		return initial
	case looksAlike(a, b) && !isFeminine(a, b) && !isFeminine(b, a):
		return alike
	}
	return none
}

// foldUmlauts makes the ASCII spellings of umlauts equal: Muller and Mueller (Müller),
// Agard and Aagaard (Ågård).
func foldUmlauts(s string) string { return umlauts.Replace(s) }

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "aa", "a")

// isFeminine reports whether long is the feminine form of another person's given name:
// Erik and Erika. Slavic surnames have the ending for the same family: Volkov and Volkova.
func isFeminine(short, long string) bool {
	return long == short+"a" && len(short) >= 3 && !slavicSurname.MatchString(short)
}

var slavicSurname = regexp.MustCompile(`(?:[oe]v|[iy]n|sk|y)$`)

func isInitial(short, long string) bool {
	return utf8.RuneCountInString(short) == 1 && strings.HasPrefix(long, short)
}

// looksAlike reports whether one word begins with the other, of three letters or
// more, or few edits part them: one from four letters on, two from eight on.
func looksAlike(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) >= 3 && slices.Equal(x, y[:len(x)]) {
		return true
	}
	allowed := 0
	if len(x) >= 4 {
		allowed = 1 + len(x)/8
	}
	return len(y) <= 40 && text.Distance(x, y, allowed) <= allowed
}

// joinPairs joins neighbours of x that are one word in y: "Mary Ann", "Maryann".
func joinPairs(x, y []string) []string {
	var out []string
	for i := 0; i < len(x); i++ {
		if i+1 < len(x) && slices.Contains(y, x[i]+x[i+1]) {
			out = append(out, x[i]+x[i+1])
			i++
			continue
		}
		out = append(out, x[i])
	}
	return out
}

// isLatin reports whether any word has Latin letters. A name in two scripts counts as Latin.
func isLatin(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool {
		return strings.ContainsFunc(t, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	})
}
