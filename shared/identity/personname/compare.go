// Package personname compares people's names as they write them: in any order, with
// initials and nicknames, without middle names or particles, in another romanisation or
// script. A name is evidence, never a key.
//
// Words of Latin, Cyrillic and Greek letters are compared by their spelling (fold.go), their
// sound (sound.go, eastasian.go; spellings.txt), the lists of given names with
// their short forms (givennames.txt) and the cost of the edits between them (alike.go). Names in two
// scripts are compared by consonants (script.go) and by the readings of Chinese, Japanese and
// Korean surnames (hansurnames.txt).
//
// The lists were written for this package from general knowledge of names in about 50 languages.
// They are loaded at the first comparison, or by [Load].
package personname

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Similarity is the result of comparing two names.
type Similarity string

// The three results. Names are also Uncertain if evidence is missing: an empty name, a
// first name alone, or another script in which one word corresponds.
const (
	Same      Similarity = "same"
	Uncertain Similarity = "uncertain"
	Different Similarity = "different"
)

// Load loads the lists of names, which the first comparison otherwise does.
func Load() {
	givenNames()
	surnames()
	hanSurnames()
}

// Compare compares two names. In one script, names that share only the first or only the
// family name are Different; words that merely look alike ("Jonathan" and "Jonathann") make
// them at most Uncertain. In two scripts, which no spelling maps without loss, they are
// Different only if no word of one corresponds to any of the other.
func Compare(a, b string) Similarity {
	x := nameTokens(a)
	y := nameTokens(b)
	switch {
	case len(x) == 0 || len(y) == 0:
		return Uncertain
	case joinFolded(x) == joinFolded(y):
		return Same
	case findScript(x) != findScript(y):
		return compareScripts(x, y)
	case areSameInChinese(x, y), areSameInKorean(x, y):
		return Same
	}
	x, y = joinPairs(x, y), joinPairs(y, x)
	x = removeParticles(x)
	y = removeParticles(y)
	if len(x) > len(y) {
		x, y = y, x
	}
	return judgeGrades(x, assignGrades(x, y, newHabits(a, b, x, y)))
}

// habits are what two names show about the spelling of both.
type habits struct {
	arabic bool // one has a given name or an article of Arabic
	caron  bool // one has letters of ISO 9 or of a Slavic language that are two in English: š for sh
}

func newHabits(a, b string, x, y []string) habits {
	isArabic := func(word string) bool { return givenNames().arabic[formKey(word)] }
	hasArticle := slices.ContainsFunc(slices.Concat(nameTokens(a), nameTokens(b)), func(word string) bool { return arabicArticles[word] })
	return habits{
		arabic: hasArticle || slices.ContainsFunc(slices.Concat(x, y), isArabic),
		caron:  strings.ContainsAny(strings.ToLower(a+b), "čšžŝûâëćś"),
	}
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
func assignGrades(x, y []string, h habits) []grade {
	grades := slices.Repeat([]grade{none}, len(x))
	used := make([]bool, len(y))
	for want := exact; want < none; want++ {
		for i := range x {
			for j := range y {
				isFirst := i == 0 || j == 0
				isFree := grades[i] == none && !used[j]
				if isFree && gradeWords(x[i], y[j], isFirst, h) == want {
					grades[i] = want
					used[j] = true
				}
			}
		}
	}
	return grades
}

// gradeWords compares two words. leading says that one begins its name.
func gradeWords(a, b string, leading bool, h habits) grade {
	switch {
	case foldUmlauts(a) == foldUmlauts(b):
		return exact
	case areForms(a, b):
		return nickname
	case isInitial(a, b) || isInitial(b, a):
		return initial
	case areOtherGivenNames(a, b):
		return none
	case soundsLike(a, b), soundsJapanese(a, b), h.caron && soundsSlavic(a, b),
		givenNames().find(a) != nil && slavicKey(formKey(a)) == slavicKey(formKey(b)):
		return exact
	case isFeminine(a, b), isFeminine(b, a):
		return alike
	case surnames()[a] && surnames()[b]:
		return none
	case h.arabic && soundsArabic(a, b):
		return exact
	case looksAlike(a, b), haveOneSkeleton(a, b), leading && isShortForm(a, b), leading && isShortForm(b, a):
		return alike
	}
	return none
}

// foldUmlauts makes the ASCII spellings of umlauts equal: Muller and Mueller (Müller),
// Agard and Aagaard (Ågård).
func foldUmlauts(s string) string { return umlauts.Replace(s) }

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u", "aa", "a")

// joinFolded joins words that hyphens or spaces may part: "De Luca" and "DeLuca".
func joinFolded(words []string) string {
	return strings.ReplaceAll(foldUmlauts(strings.Join(words, " ")), " ", "")
}

func isInitial(short, long string) bool {
	return utf8.RuneCountInString(short) == 1 && strings.HasPrefix(long, short)
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
