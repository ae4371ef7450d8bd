// Package personname compares people's names as they write them: in any order, with
// initials and nicknames, without middle names or particles, in another romanisation or
// script. A name is evidence, never a key.
//
// Words of Latin, Cyrillic and Greek letters are compared by their spelling, their
// sound (sound.go; spellings.txt), the lists of given names with
// their short forms (givennames.txt) and the cost of the edits between them (both alike.go). Names in two
// scripts are compared by consonants (script.go) and by the readings of Chinese, Japanese and
// Korean surnames (hansurnames.txt).
//
// The lists were written for this package from general knowledge of names in about 50 languages.
// They are loaded at the first comparison.
package personname

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
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
	joined := joinPairs(x, y)
	y = removeParticles(joinPairs(y, x))
	x = removeParticles(joined)
	if len(x) > len(y) {
		x, y = y, x
	}
	isArabic := func(word string) bool { return givenNames().arabic[formKey(word)] }
	hasArticle := slices.ContainsFunc(slices.Concat(nameTokens(a), nameTokens(b)), func(word string) bool { return arabicArticles[word] })
	grades := assignGrades(x, y, habits{
		arabic: hasArticle || slices.ContainsFunc(slices.Concat(x, y), isArabic),
		caron:  strings.ContainsAny(strings.ToLower(a+b), "čšžŝûâëćś"),
	})
	count := make(map[grade]int)
	for _, g := range grades {
		count[g]++
	}
	full := count[exact] + count[nickname]
	switch {
	case count[none] == 0 && count[alike] == 0 && len(x) > 1 && full > 0:
		return Same
	case count[none] == 0, full > 1, count[alike] > 1 && full > 0:
		return Uncertain
	}
	return Different
}

// habits are what two names show about the spelling of both.
type habits struct {
	arabic bool // one has a given name or an article of Arabic
	caron  bool // one has letters of ISO 9 or of a Slavic language that are two in English: š for sh
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

// assignGrades returns the grades of x's words, each paired with its best unused word of y, best grades first.
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

// foldUmlauts makes the ASCII spellings of umlauts equal: Muller and Mueller (Müller), Agard and Aagaard (Ågård).
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

const maxTokens = 24 // that are compared; no name of the 300 characters allowed needs more

// asciiLetters replaces letters that NFD does not decompose by how their languages spell them in ASCII.
var asciiLetters = strings.NewReplacer(
	"ł", "l", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ß", "ss", "ı", "i")

// nasals replaces the marks for n of Indian scripts by its letter, because marks are dropped.
var nasals = strings.NewReplacer("ं", "न", "ँ", "न", "ং", "ন", "ં", "ન", "ਂ", "ਨ", "ం", "న", "ಂ", "ನ")

var (
	honorifics = nameWordSet("mr mrs ms miss mx dr prof professor sir dame herr frau señor senora")
	suffixes   = nameWordSet("jr sr ii iii iv phd md mba msc bsc cpa cfa pmp esq dds pe rn")
	particles  = nameWordSet(`de da do dos das del della di du la le van von der den ter ten zu al el bin binti bint ibn abu
		af av nee geb geborene born`)
	joiners = nameWordSet("y e i") // between two surnames; elsewhere they are initials
)

// Fold returns a name's comparable form: its words in their written order, folded in
// case, width and accents, without honorifics ("Dr."), suffixes ("Jr.") and
// apostrophes, and split at hyphens. It is "" for text without letters.
func Fold(raw string) string { return strings.Join(nameTokens(raw), " ") }

func nameTokens(raw string) []string {
	tokens := strings.FieldsFunc(foldName(raw), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if len(tokens) > maxTokens {
		tokens = tokens[:maxTokens]
	}
	return removeWords(removeWords(tokens, honorifics, 0), suffixes, 1)
}

// foldName applies NFKC, case folding, NFD without marks, and asciiLetters, and
// romanises Cyrillic and Greek. It lower-cases before it folds: case folding alone
// swaps Cherokee's capital and small letters.
func foldName(s string) string {
	s = norm.NFD.String(cases.Fold().String(strings.ToLower(norm.NFKC.String(nasals.Replace(s)))))
	s = strings.Map(func(r rune) rune {
		if unicode.IsMark(r) || strings.ContainsRune("'’‘ʼʻ`´", r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
	if strings.ContainsAny(s, "іґєў") { // letters of Ukrainian, which Russian lacks; г is h there
		s = strings.ReplaceAll(s, "г", "h")
	}
	return romanised().Replace(asciiLetters.Replace(s))
}

// removeWords drops the set's words from index from on. A name that consists of such
// words keeps them.
func removeWords(tokens []string, set map[string]bool, from int) []string {
	from = min(from, len(tokens))
	kept := slices.Concat(tokens[:from], slices.DeleteFunc(slices.Clone(tokens[from:]), func(t string) bool { return set[t] }))
	if len(kept) == 0 {
		return tokens
	}
	return kept
}

func removeParticles(tokens []string) []string {
	tokens = removeWords(tokens, particles, 0)
	if n := len(tokens); n > 3 {
		return slices.Concat(tokens[:1], removeWords(tokens[1:n-1], joiners, 0), tokens[n-1:])
	}
	return tokens
}

func nameWordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(foldName(list)) {
		set[w] = true
	}
	return set
}
