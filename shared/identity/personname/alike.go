package personname

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// givenNameList holds the forms of one given name per line, in folded letters, by language. A
// short form of several names is in several lines. These are never merged, so that Samuel and
// Samantha stay different although both are Sam.
//
//go:embed givennames.txt
var givenNameList string

//go:embed surnames.txt
var surnameList string // frequent ones that look like another frequent one

// nameIndex holds the numbers of the lines that a given name is in.
type nameIndex struct {
	lines  map[string][]int // by the name
	sounds map[string][]int // by its sound, for spellings that the list lacks
	arabic map[string]bool  // sounds of names of Arabic, Persian and Urdu
	tongue []string         // the language of each line
}

func (n nameIndex) find(name string) []int {
	if lines := n.lines[name]; lines != nil {
		return lines
	}
	return n.sounds[formKey(name)]
}

var givenNames = sync.OnceValue(func() nameIndex {
	index := nameIndex{make(map[string][]int), make(map[string][]int), make(map[string]bool), nil}
	tongue := ""
	arabic := false
	for line := range strings.Lines(givenNameList) {
		if language, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok {
			tongue = language
			arabic = slices.Contains([]string{"ar", "fa", "ur"}, language)
			continue
		}
		number := len(index.tongue)
		index.tongue = append(index.tongue, tongue)
		for _, name := range strings.Fields(line) {
			key := formKey(name)
			index.lines[name] = append(index.lines[name], number)
			index.sounds[key] = append(index.sounds[key], number)
			if arabic {
				index.arabic[key] = true
			}
		}
	}
	return index
})

var surnames = sync.OnceValue(func() map[string]bool { return nameWordSet(surnameList) })

// formKey returns what spellings of a given name have in common.
func formKey(name string) string {
	if len(name) < minSound || !isASCII(name) {
		return foldUmlauts(name)
	}
	return soundKey(name)
}

func areForms(a, b string) bool {
	x := givenNames().find(a)
	y := givenNames().find(b)
	return slices.ContainsFunc(x, func(line int) bool { return slices.Contains(y, line) })
}

// areOtherGivenNames reports whether both are given names of one language that hardly a slip makes one another: Anna, Anne.
func areOtherGivenNames(a, b string) bool {
	index := givenNames()
	x := index.find(a)
	y := index.find(b)
	common := slices.ContainsFunc(x, func(line int) bool {
		return slices.ContainsFunc(y, func(other int) bool { return index.tongue[line] == index.tongue[other] })
	})
	a = formKey(a)
	b = formKey(b)
	return common && a != b && slavicKey(a) != slavicKey(b)
}

// Costs of an edit between two words that look alike. Slips of the pen and of the ear change
// vowels, neighbours and sounds of one place in the mouth. They rarely change the first letter or the
// end, which distinguishes Martin from Martina and Mario from Maria, and count double there.
const (
	costVowel   = 0.6  // a vowel, or a vowel too many or too few
	costRelated = 0.6  // a consonant of the same place: d for t
	costOther   = 1.5  // any other consonant
	costSilent  = 0.3  // an h or a doubled letter too many or too few
	costSwap    = 0.5  // two neighbours swapped
	alikeShare  = 0.1  // of the letters: the cost up to which words are alike
	maxAlike    = 40   // letters of a word that is compared
	endFactor   = 2    // at the first letter and at the end
	shortLeast  = 3    // letters of a short form
	shortMost   = 0.7  // share of the letters that a short form has
	epsilon     = 1e-9 // rounding

	leastConsonants = 3 // that identify a word which is spelled by another system
)

var consonantPlaces = []string{"bpfvw", "dt", "gkcqx", "szcx", "mn", "lr", "jyg"}

func looksAlike(a, b string) bool {
	x := []rune(a)
	y := []rune(b)
	if max(len(x), len(y)) > maxAlike {
		return false
	}
	rows := make([][]float64, len(x)+1) // the least costs of the edits that turn the first letters of x into those of y
	for i := range rows {
		rows[i] = make([]float64, len(y)+1)
		for j := range rows[i] {
			switch {
			case i == 0 && j == 0:
			case i == 0:
				rows[0][j] = rows[0][j-1] + lossCost(y, j-1)
			case j == 0:
				rows[i][0] = rows[i-1][0] + lossCost(x, i-1)
			default:
				cost := min(rows[i-1][j]+lossCost(x, i-1), rows[i][j-1]+lossCost(y, j-1), rows[i-1][j-1]+changeCost(x, y, i-1, j-1))
				if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
					cost = min(cost, rows[i-2][j-2]+costSwap)
				}
				rows[i][j] = cost
			}
		}
	}
	return rows[len(x)][len(y)] <= alikeShare*float64(min(len(x), len(y)))+epsilon
}

// lossCost returns the cost of a letter that only one of the words has.
func lossCost(word []rune, at int) float64 {
	switch r := word[at]; {
	case at > 0 && word[at-1] == r, at > 0 && r == 'h':
		return costSilent
	case at == 0 || at == len(word)-1:
		return endFactor * costVowel
	case isVowel(r):
		return costVowel
	}
	return costOther
}

func changeCost(x, y []rune, i, j int) float64 {
	a := x[i]
	b := y[j]
	factor := 1.0
	if i == 0 || j == 0 || i == len(x)-1 && j == len(y)-1 {
		factor = endFactor
	}
	switch {
	case a == b:
		return 0
	case isVowel(a) && isVowel(b):
		return factor * costVowel
	}
	for _, place := range consonantPlaces {
		if strings.ContainsRune(place, a) && strings.ContainsRune(place, b) {
			return factor * costRelated
		}
	}
	return factor * costOther
}

func isVowel(r rune) bool { return strings.ContainsRune("aeiouy", r) }

// haveOneSkeleton reports whether two words have the same consonants and gender, and differ only in the spelling of vowels.
func haveOneSkeleton(a, b string) bool {
	x := latinSkeleton(a, indic)
	y := latinSkeleton(b, indic)
	return x == y && len(x) >= leastConsonants && endingVowel(a) == endingVowel(b) && isVowel(rune(a[0])) == isVowel(rune(b[0]))
}

// endingVowel returns the last letter of a word if it is one that carries gender.
func endingVowel(word string) string { return strings.TrimSuffix(genderVowel().FindString(word), "h") }

var genderVowel = text.Expression(`[aoe]h?$`)

// isShortForm reports whether short is the beginning of a longer given name: "Srini", "Srinivas".
func isShortForm(short, long string) bool {
	if len(short) < shortLeast || float64(len(short)) > shortMost*float64(len(long)) {
		return false
	}
	isSurname := surnames()[short] || surnames()[long]
	return strings.HasPrefix(long, short) && !isSurname
}
