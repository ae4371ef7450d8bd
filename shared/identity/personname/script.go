package personname

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// script is the writing of a name.
type script int

const (
	latin script = iota // or Cyrillic or Greek, which fold to it
	arabic
	hebrew
	indic
	hangul
	han // with or without kana
	other
)

var scripts = []struct {
	script script
	tables []*unicode.RangeTable
}{
	{latin, []*unicode.RangeTable{unicode.Latin}}, // a name in two scripts counts as Latin
	{arabic, []*unicode.RangeTable{unicode.Arabic}},
	{hebrew, []*unicode.RangeTable{unicode.Hebrew}},
	{indic, []*unicode.RangeTable{
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	}},
	{hangul, []*unicode.RangeTable{unicode.Hangul}},
	{han, []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}},
}

func findScript(tokens []string) script {
	for _, s := range scripts {
		if strings.ContainsFunc(strings.Join(tokens, ""), func(r rune) bool { return unicode.In(r, s.tables...) }) {
			return s.script
		}
	}
	return other
}

// compareScripts compares names in different scripts: Different if nothing in one corresponds
// to anything in the other.
func compareScripts(x, y []string) Similarity {
	a := findScript(x)
	b := findScript(y)
	if b == latin {
		x, y, a, b = y, x, b, a
	}
	switch {
	case a != latin || b == other:
		return Uncertain
	case b == han:
		if !mayBeHan(x, y) {
			return Different
		}
		return Uncertain
	}
	if b == hangul && mayBeKorean(x, y) || shareSkeleton(x, y, b) {
		return Uncertain
	}
	return Different
}

// hanSurnameList has the readings of Chinese, Japanese and Korean surnames: "王 wang wong ong".
//
//go:embed hansurnames.txt
var hanSurnameList string

// hanReadings are readings by surname, and the surnames of each reading.
type hanReadings struct {
	readings map[string][]string
	known    map[string]bool
}

var hanSurnames = sync.OnceValue(func() hanReadings {
	h := hanReadings{make(map[string][]string), make(map[string]bool)}
	for line := range strings.Lines(hanSurnameList) {
		words := strings.Fields(line)
		for _, surname := range strings.Split(words[0], "/") {
			h.readings[surname] = append(h.readings[surname], words[1:]...)
		}
		for _, reading := range words[1:] {
			h.known[reading] = true
		}
	}
	return h
})

// mayBeHan reports whether a Latin name may be that of a person with a name written in
// Chinese characters. A surname that is known must have one of its readings in the name, except
// if the Latin name is as Japanese names are and the surname one of one character, which may
// begin a longer Japanese one. Of other names one word must be a known surname, or all must
// consist of Chinese, Japanese or Korean syllables.
func mayBeHan(words, name []string) bool {
	h := hanSurnames()
	joined := []rune(strings.Join(name, ""))

	japanese := !slices.ContainsFunc(words, func(w string) bool { return !morae().MatchString(w) })
	for n := min(3, len(joined)-1); n > 0; n-- {
		readings := h.readings[string(joined[:n])]
		if hasReading(words, readings) {
			return true
		}
		isLongSurname := len(joined) == 3 && !hasKana(joined)
		isSurnameAlone := isLongSurname || n > 1 || !japanese
		if readings != nil && isSurnameAlone {
			return false
		}
	}
	if japanese || len(joined) >= 4 {
		return japanese
	}
	if slices.ContainsFunc(words, func(w string) bool { return h.known[w] }) {
		return true
	}
	return !slices.ContainsFunc(words, isNoChineseWord) || !slices.ContainsFunc(words, isNoKoreanWord)
}

// hasReading reports whether one of some words is a reading of a surname, or the only word begins or ends with one.
func hasReading(words, readings []string) bool {
	return slices.ContainsFunc(readings, func(r string) bool {
		if slices.ContainsFunc(words, func(w string) bool { return isReading(w, r) }) {
			return true
		}
		return len(words) == 1 && (strings.HasPrefix(words[0], r) || strings.HasSuffix(words[0], r))
	})
}

func isReading(word, reading string) bool {
	return reading == word || japaneseKey(reading) == japaneseKey(word) || word == "o"+reading
}

// correspondsWithoutArticle reports whether two Arabic skeletons correspond once the article, al-, is
// taken off one of them.
func correspondsWithoutArticle(a, b string) bool {
	return corresponds(a, strings.TrimPrefix(b, "L")) || corresponds(strings.TrimPrefix(a, "L"), b)
}

func hasKana(name []rune) bool {
	return slices.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
}

// Consonants of other scripts by class, as in latinClasses. Vowels and weak consonants are left out.
var (
	latinClasses     = newReplacer("latinClasses")
	consonantClasses = map[script]map[string]string{
		arabic: {"P": "بپفڤ", "T": "تثدذضطظةٹڈ", "K": "خغقكگکݣ", "S": "سشصجزژچذظث", "M": "م", "N": "نں", "L": "ل", "R": "رڑ"},
		hebrew: {"P": "בפף", "T": "תדט", "K": "גכךקח", "S": "סשצץז", "M": "מם", "N": "נן", "L": "ל", "R": "ר"},
		indic:  {"P": "पफबभव", "T": "टठडढतथदध", "K": "कखगघ", "S": "चछजझशषस", "M": "म", "N": "ङञणनऩंँ", "L": "लळ", "R": "रऱऋृ"},
	}
	classOf = sync.OnceValue(func() map[script]map[rune]string {
		index := make(map[script]map[rune]string)
		for s, classes := range consonantClasses {
			index[s] = make(map[rune]string)
			for class, letters := range classes {
				for _, r := range letters {
					index[s][r] = class
				}
			}
		}
		return index
	})
)

const (
	leastSkeleton = 2 // consonants of a word that may correspond
	closeSkeleton = 4 // consonants from which one may differ
	fewConsonants = 3 // with fewer a name contradicts nothing
)

// shareSkeleton reports whether a word of a Latin name has the consonants of a word in another
// script, or is a part of the whole name, which may be written without spaces.
func shareSkeleton(words, name []string, s script) bool {
	whole := ""
	var skeletons []string
	for _, w := range name {
		skeletons = append(skeletons, skeleton(w, s))
		whole += skeleton(w, s)
	}
	joined := ""
	for _, w := range words {
		key := latinSkeleton(w, s)
		joined += key
		if s == hebrew { // ch is one letter there, and v may be written as a vowel
			key = strings.ReplaceAll(latinSkeleton(strings.ReplaceAll(w, "ch", "k"), s), "P", "")
			if slices.ContainsFunc(skeletons, func(other string) bool { return corresponds(key, strings.ReplaceAll(other, "P", "")) }) {
				return true
			}
		}
		for _, other := range skeletons {
			if corresponds(key, other) || s == arabic && correspondsWithoutArticle(key, other) {
				return true
			}
		}
		if s == hangul && len(key) >= leastSkeleton && strings.Contains(whole, key) {
			return true
		}
	}
	return corresponds(joined, whole) || s != hangul && len(whole) < fewConsonants
}

func corresponds(a, b string) bool {
	least := min(len(a), len(b))
	return least >= leastSkeleton && a == b || least >= closeSkeleton && differByOne(a, b)
}

// differByOne reports whether one letter was changed, added or removed.
func differByOne(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i == len(a) || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// latinSkeleton returns the classes of a Latin word's consonants. In Arabic and Hebrew w is a vowel's
// letter.
func latinSkeleton(word string, s script) string {
	key := latinClasses().Replace(collapseDoubles(word))
	if s == indic {
		return strings.ReplaceAll(key, "W", "P")
	}
	return strings.ReplaceAll(key, "W", "")
}

func skeleton(word string, s script) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(word) { // folding takes Korean syllables apart
		switch {
		case s == hangul:
			b.WriteString(latinClasses().Replace(romaniseHangul(r)))
		case s == indic:
			b.WriteString(classOf()[s][0x900+(r-0x900)%0x80]) // the blocks of India have one order
		default:
			b.WriteString(classOf()[s][r])
		}
	}
	return b.String()
}
