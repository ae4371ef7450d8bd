package personname

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

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

// compareScripts returns Different if nothing in one name corresponds to anything in the other, in another script.
func compareScripts(x, y []string) Similarity {
	a := findScript(x)
	b := findScript(y)
	if b == latin {
		x, y, a, b = y, x, b, a
	}
	if a != latin || b == other {
		return Uncertain
	}
	switch {
	case b == han && mayBeHan(x, y), b == hangul && mayBeKorean(x, y):
		return Uncertain
	case b != han && shareSkeleton(x, y, b): // Chinese characters have no consonants to compare
		return Uncertain
	}
	return Different
}

//go:embed hansurnames.txt
var hanSurnameList string // readings of Chinese, Japanese and Korean surnames: "王 wang wong ong"

var hanSurnames = sync.OnceValue(func() map[string][]string {
	readings := make(map[string][]string)
	for line := range strings.Lines(hanSurnameList) {
		words := strings.Fields(line)
		for _, surname := range strings.Split(words[0], "/") {
			readings[surname] = append(readings[surname], words[1:]...)
		}
	}
	return readings
})

func isHanReading(word string) bool {
	for _, readings := range hanSurnames() {
		if slices.Contains(readings, word) {
			return true
		}
	}
	return false
}

// mayBeHan reports whether a Latin name may be that of a person with a name written in
// Chinese characters. A surname that is known must have one of its readings in the name, except
// if the Latin name is as Japanese names are and the surname one of one character, which may
// begin a longer Japanese one. Of other names one word must be a known surname, or all must
// consist of Chinese, Japanese or Korean syllables.
func mayBeHan(words, name []string) bool {
	joined := []rune(strings.Join(name, ""))
	japanese := haveForm(words, morae)
	isReading := func(r string) bool { // of one of the words, or of the beginning or end of the only one
		isAlone := len(words) == 1 && (strings.HasPrefix(words[0], r) || strings.HasSuffix(words[0], r))
		return isAlone || slices.ContainsFunc(words, func(w string) bool { return japaneseKey(r) == japaneseKey(w) || w == "o"+r })
	}
	for n := min(3, len(joined)-1); n > 0; n-- {
		readings := hanSurnames()[string(joined[:n])]
		if slices.ContainsFunc(readings, isReading) {
			return true
		}
		isLongSurname := len(joined) == 3 && !slices.ContainsFunc(joined, isKana)
		isSurnameAlone := isLongSurname || n > 1 || !japanese
		if readings != nil && isSurnameAlone {
			return false
		}
	}
	if japanese || len(joined) >= 4 {
		return japanese
	}
	return haveForm(words, chineseWord) || haveForm(words, koreanWord) || slices.ContainsFunc(words, isHanReading)
}

// correspondsWithoutArticle compares two Arabic skeletons without the article, al-, of one of them.
func correspondsWithoutArticle(a, b string) bool {
	return corresponds(a, strings.TrimPrefix(b, "L")) || corresponds(strings.TrimPrefix(a, "L"), b)
}

func isKana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// Consonants of other scripts behind their class, as in latinClasses. Vowels and weak consonants are left out.
var (
	latinClasses     = newReplacer("latinClasses")
	consonantClasses = map[script][]string{
		arabic: {"Pبپفڤ", "Tتثدذضطظةٹڈ", "Kخغقكگکݣ", "Sسشصجزژچذظث", "Mم", "Nنں", "Lل", "Rرڑ"},
		hebrew: {"Pבפף", "Tתדט", "Kגכךקח", "Sסשצץז", "Mמם", "Nנן", "Lל", "Rר"},
		indic:  {"Pपफबभव", "Tटठडढतथदध", "Kकखगघ", "Sचछजझशषस", "Mम", "Nङञणनऩंँ", "Lलळ", "Rरऱऋृ"},
	}
)

const (
	leastSkeleton = 2 // consonants of a word that may correspond
	closeSkeleton = 4 // consonants from which one may differ
	fewConsonants = 3 // with fewer a name contradicts nothing
)

// shareSkeleton reports whether a word of a Latin name has the consonants of a word in another
// script, or is a part of the whole name, which may be written without spaces.
func shareSkeleton(words, name []string, s script) bool {
	var whole [2]string
	var skeletons []string
	for _, w := range name {
		for i, reading := range readSkeleton(w, s) {
			skeletons = append(skeletons, reading)
			whole[i] += reading
		}
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
		if s == hangul && len(key) >= leastSkeleton && strings.Contains(whole[0], key) {
			return true
		}
	}
	isShort := s != hangul && len(whole[0]) < fewConsonants
	return isShort || corresponds(joined, whole[0]) || corresponds(joined, whole[1])
}

func corresponds(a, b string) bool {
	least := min(len(a), len(b))
	return least >= leastSkeleton && a == b || least >= closeSkeleton && differByOne(a, b)
}

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

// latinSkeleton returns the classes of a word's consonants. In Arabic and Hebrew w is a vowel's letter.
func latinSkeleton(word string, s script) string {
	key := latinClasses().Replace(collapseDoubles(word))
	if s == indic {
		return strings.ReplaceAll(key, "W", "P")
	}
	return strings.ReplaceAll(key, "W", "")
}

// readSkeleton returns the classes of a word's consonants in two readings: ث is th in Uthman and s in Osman.
func readSkeleton(word string, s script) (readings [2]string) {
	for _, r := range norm.NFC.String(word) { // folding takes Korean syllables apart
		var first, last string
		switch s {
		case hangul:
			first = latinClasses().Replace(romaniseHangul(r))
			last = first
		case indic:
			r = 0x900 + (r-0x900)%0x80 // the blocks of India have one order
		}
		for _, class := range consonantClasses[s] {
			if strings.ContainsRune(class[1:], r) {
				first = cmp.Or(first, class[:1])
				last = class[:1]
			}
		}
		readings[0] += first
		readings[1] += last
	}
	return readings
}
