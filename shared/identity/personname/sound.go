package personname

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// romanised replaces Cyrillic and Greek letters, folded and without marks, by Latin ones, as
// BGN/PCGN does. Passports (ICAO 9303), ISO 9 and their owners spell otherwise; soundKey evens
// that out.
var romanised = newReplacer("romanised")

const minSound, maxSound = 4, 40 // letters of a word that is compared by its sound

// digraphs replaces spellings of one sound in the romanisations of Russian, Ukrainian, Bulgarian
// (also in French and German), Greek and Arabic. Earlier pairs win.
var digraphs = newReplacer("digraphs")

// soundsLike reports whether two words of ASCII letters have one sound key.
func soundsLike(a, b string) bool {
	if !isSoundable(a) || !isSoundable(b) {
		return false
	}
	x := soundKey(a)
	y := soundKey(b)
	return x == y || isSlavicSurname(a+" "+b) && slavicKey(x) == slavicKey(y)
}

func isSoundable(word string) bool {
	return len(word) >= minSound && len(word) <= maxSound && isASCII(word)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// soundKey makes the usual romanisations of one name equal: Yevgeniy and Evgeny, Tchaikovsky
// and Chaikovskii, Sergei and Sergey. The key itself is not a spelling.
func soundKey(s string) string {
	s = digraphs().Replace(s)
	key := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if isGlide(c) {
			for i+1 < len(s) && isGlide(s[i+1]) {
				i++
			}
			switch {
			case i+1 < len(s) && s[i+1] == 'e':
				continue // Yelena, Matveyev
			case i+1 < len(s) && s[i+1] == 'o' && len(key) > 0 && c != 'i':
				i++
				c = 'e' // Solovyov
			default:
				c = 'i'
			}
		}
		last := len(key) - 1
		isMuteH := c == 'h' && i+1 == len(s)
		if last >= 0 && (key[last] == c || isMuteH && strings.IndexByte("aeo", key[last]) >= 0) {
			continue
		}
		key = append(key, c)
	}
	if last := len(key) - 1; last >= 0 && key[last] == 'c' && last > 0 && s[len(s)-1] == 'c' {
		key[last] = 'k' // Eric
	}
	return string(key)
}

func isGlide(c byte) bool { return c == 'i' || c == 'y' || c == 'j' }

// slavicEnding matches the ends of Slavic surnames, in either gender.
var slavicEnding = text.Expression(`(?:[oe](?:v|ff)a?|[iy]na?|s[kc](?:[iyj]+|a|aya|aja|aia)|ko|[uiya]k|[iy]ch|ets)(?: |$)`)

func isSlavicSurname(words string) bool { return slavicEnding().MatchString(words) }

var slavicEnds = text.Expression(`([aoe]f)$|(sk|n)aia$|(sh|ch|zh)o`)

// slavicKey makes the sound keys of one Slavic surname equal: h and g (Hryshchuk, Grishchuk),
// e and o behind a sibilant (Chernyshov), -off and -ov, -aya and -a.
func slavicKey(key string) string {
	key = slavicEnds().ReplaceAllStringFunc(key, func(m string) string {
		switch {
		case strings.HasSuffix(m, "f"):
			return m[:1] + "v"
		case strings.HasSuffix(m, "aia"):
			return m[:len(m)-2]
		}
		return m[:len(m)-1] + "e"
	})
	return plainG.Replace(key)
}

// plainG leaves digraphs with h alone.
var plainG = strings.NewReplacer("sh", "sh", "ch", "ch", "zh", "zh", "h", "g")

// isFeminine reports whether long is the feminine form of a Slavic surname: Volkova of Volkov, Kowalska of Kowalski.
func isFeminine(short, long string) bool {
	if !isSlavicSurname(short) || len(short) < minSound {
		return false
	}
	if long == short+"a" {
		return true
	}
	stem := strings.TrimRight(short, "iyj")
	return stem != short && slices.Contains([]string{stem + "a", stem + "aya", stem + "aia"}, long)
}

// plainCarons makes romanisations with carons (ISO 9, Czech, Croatian), without their marks, and English ones equal.
var plainCarons = newReplacer("plainCarons")

func soundsSlavic(a, b string) bool {
	return isSoundable(a) && isSoundable(b) && collapseDoubles(plainCarons().Replace(a)) == collapseDoubles(plainCarons().Replace(b))
}

func collapseDoubles(s string) string { return string(slices.Compact([]rune(s))) }

// arabicConsonants evens out English, French and German spellings of Arabic consonants.
var arabicConsonants = newReplacer("arabicConsonants")

// arabicArticles are the article and parts of names that Arabic alone has.
var arabicArticles = nameWordSet("al el bin bint ibn abu abdul abdel abd")

// soundsArabic reports whether two words, one perhaps with the article, have the same consonants, and vowels that differ as
// romanisations of Arabic do: any vowel may be e, and short ones are left out.
func soundsArabic(a, b string) bool {
	if min(len(a), len(b)) < 3 || max(len(a), len(b)) > maxSound || !isASCII(a+b) {
		return false
	}
	for _, x := range []string{a, cutArticle(a)} {
		for _, y := range []string{b, cutArticle(b)} {
			if matchVowels(arabicKey(x), arabicKey(y)) {
				return true
			}
		}
	}
	return false
}

func arabicKey(word string) string {
	key := collapseDoubles(arabicConsonants().Replace(word))
	if stem, ok := strings.CutSuffix(key, "h"); ok && len(stem) > 2 && isVowel(rune(stem[len(stem)-1])) {
		key = stem
	}
	return key
}

func cutArticle(word string) string {
	if len(word) > 5 && (strings.HasPrefix(word, "al") || strings.HasPrefix(word, "el")) {
		return word[2:]
	}
	return word
}

func matchVowels(a, b string) bool {
	for a != "" && b != "" {
		switch v, w := isVowel(rune(a[0])), isVowel(rune(b[0])); {
		case a[0] == b[0], v && w && (a[0] == 'e' || b[0] == 'e'):
			a = a[1:]
			b = b[1:]
		case !w && beginsWithShortVowel(a):
			a = a[1:]
		case !v && beginsWithShortVowel(b):
			b = b[1:]
		default:
			return false
		}
	}
	return a == b
}

// beginsWithShortVowel reports whether a key begins with a vowel that romanisations leave out.
func beginsWithShortVowel(key string) bool {
	return len(key) > 1 && key[0] != 'u' && isVowel(rune(key[0]))
}

//go:embed spellings.txt
var spellingList string // what spellings of names are evened out by, in sections

func readSpellings(section string) string {
	_, rest, _ := strings.Cut(spellingList, "["+section+"]\n")
	lines, _, _ := strings.Cut(rest, "\n\n")
	return lines
}

// newReplacer returns the replacer of a section, which is made at its first use.
func newReplacer(section string) func() *strings.Replacer {
	return sync.OnceValue(func() *strings.Replacer {
		pairs := strings.Fields(readSpellings(section))
		for i := range pairs {
			pairs[i] = strings.TrimPrefix(pairs[i], "-")
		}
		return strings.NewReplacer(pairs...)
	})
}
