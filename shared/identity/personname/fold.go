package personname

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxTokens bounds the comparison; no name of the 300 characters allowed needs more.
const maxTokens = 24

// asciiLetters replaces letters that NFD does not decompose by the spelling that their
// languages use in ASCII.
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

// removeParticles drops the words between names.
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
