package personname

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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
		v := isVowel(rune(a[0]))
		w := isVowel(rune(b[0]))
		switch {
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

// chineseWord matches words of Mandarin syllables in Pinyin or Wade-Giles.
var chineseWord = text.Expression(`^(?:(?:zh|ch|sh|hs|ts|tz|sz|[bpmfdtnlgkhjqxrzcsyw])?` +
	`(?:i?ang|i?ong|i?ung|ieh|ueh|i?ao|uai|eng|ing|ien|ian|uan|uen|` +
	`ou|iu|ei|ai|ui|uo|ie|ue|ua|ia|an|en|in|un|ih|erh|er|a|o|e|i|u))+$`)

// mandarin evens out Pinyin and Wade-Giles without its apostrophes.
var mandarin = newReplacer("mandarin")

// haveSyllables reports whether both names have as many words as those of Chinese and Korean syllables, all of a form.
func haveSyllables(x, y []string, form func() *regexp.Regexp) bool {
	return min(len(x), len(y)) >= 2 && max(len(x), len(y)) <= 3 && haveForm(slices.Concat(x, y), form)
}

func haveForm(words []string, form func() *regexp.Regexp) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !form().MatchString(word) })
}

// areSameInChinese reports whether two romanisations are one Chinese name, perhaps with the family name at the other end.
func areSameInChinese(x, y []string) bool {
	if !haveSyllables(x, y, chineseWord) {
		return false
	}
	key := mandarinKey(x)
	last := len(y) - 1
	orders := [][]string{y, append(slices.Clone(y[1:]), y[0]), append(slices.Clone(y[last:]), y[:last]...)}
	return slices.ContainsFunc(orders, func(words []string) bool { return mandarinKey(words) == key })
}

// mandarinKey removes the spaces at last, so that no syllable runs into the next word's.
func mandarinKey(words []string) string {
	return strings.ReplaceAll(mandarin().Replace(strings.Join(words, " ")), " ", "")
}

// morae matches words of Japanese syllables in Hepburn or Kunrei.
var morae = text.Expression(`^(?:(?:k{1,2}y?|ss?h?|ss?y|tt?s?|t?ch|t?ty|nn?y?|h[yh]?|f|mm?y?|y|` +
	`r{1,2}y?|w|gg?y?|zz?y?|j|dd?|bb?y?|pp?y?)?[aeiou]|n)+h?$`)

// longVowels and hepburn even out Hepburn with and without long vowels, Kunrei, and m before
// labials.
var (
	longVowels = newReplacer("longVowels")
	hepburn    = newReplacer("hepburn")
	longH      = text.Expression(`oh([^aeiou]|$)`)
)

// soundsJapanese reports whether two words are one in different romanisations: Ono and Ohno, Shota and Syouta.
func soundsJapanese(a, b string) bool {
	a = longH().ReplaceAllString(a, "o$1")
	b = longH().ReplaceAllString(b, "o$1")
	return morae().MatchString(a) && morae().MatchString(b) && japaneseKey(a) == japaneseKey(b)
}

func japaneseKey(word string) string { return hepburn().Replace(longVowels().Replace(word)) }

// koreanWord matches words of Korean syllables in any romanisation.
var koreanWord = text.Expression(`^(?:(?:kk|tt|pp|ss|jj|ch|sh|[kgdtbpmnrlsjh])?[yw]?` +
	`(?:eo|eu|ae|oe|ui|ee|oo|ou|ai|[aeiou])(?:ng|ck|rk|[nmklpbtgdr])?)+$`)

// koreanSounds evens out the Revised Romanisation, McCune–Reischauer and common spellings.
var koreanSounds = newReplacer("koreanSounds")

// koreanFamilies are spellings of the same family name that sound apart.
var koreanFamilies = sync.OnceValue(func() (all [][]string) {
	for line := range strings.Lines(readSpellings("koreanFamilies")) {
		all = append(all, strings.Fields(line))
	}
	return all
})

func areOneKoreanFamily(a, b string) bool {
	return slices.ContainsFunc(koreanFamilies(), func(family []string) bool {
		return slices.Contains(family, a) && slices.Contains(family, b)
	})
}

// areSameInKorean reports whether two romanisations are one Korean name with a known family name, in either order.
func areSameInKorean(x, y []string) bool {
	if !haveSyllables(x, y, koreanWord) {
		return false
	}
	for _, a := range splitFamily(x) {
		for _, b := range splitFamily(y) {
			if a[1] == b[1] && areOneKoreanFamily(a[0], b[0]) {
				return true
			}
		}
	}
	return false
}

// splitFamily returns the family name at either end and the sound of the rest.
func splitFamily(words []string) [][2]string {
	n := len(words)
	return [][2]string{
		{words[0], koreanSounds().Replace(strings.Join(words[1:], ""))},
		{words[n-1], koreanSounds().Replace(strings.Join(words[:n-1], ""))},
	}
}

// Letters of Korean syllables in the Revised Romanisation, in Unicode's order.
var (
	koreanHeads  = strings.Split("g kk n d tt r m b pp s ss  j jj ch k t p h", " ")
	koreanVowels = strings.Split("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i", " ")
	koreanTails  = strings.Split(" k k k n n n t l k m l l l p l m p p t t ng t t k t p t", " ")
)

const firstHangul, lastHangul = 0xac00, 0xd7a3 // the block of Korean syllables

func romaniseHangul(r rune) string {
	if r < firstHangul || r > lastHangul {
		return ""
	}
	at := int(r - firstHangul)
	tails := len(koreanTails)
	return koreanHeads[at/tails/len(koreanVowels)] + koreanVowels[at/tails%len(koreanVowels)] + koreanTails[at%tails]
}

// mayBeKorean reports whether a Latin name has the family or given name, or the one syllable, of a name in Korean letters.
func mayBeKorean(words, name []string) bool {
	var syllables []string
	for _, r := range norm.NFC.String(strings.Join(name, "")) {
		if s := romaniseHangul(r); s != "" {
			syllables = append(syllables, s)
		}
	}
	if len(syllables) < 2 || len(words) < 2 {
		return true
	}
	given := koreanSounds().Replace(strings.Join(syllables[1:], ""))
	return slices.ContainsFunc(splitFamily(words), func(split [2]string) bool {
		isFamily := koreanSounds().Replace(split[0]) == koreanSounds().Replace(syllables[0]) || areOneKoreanFamily(split[0], syllables[0])
		return isFamily || split[0] == given || split[1] == given
	})
}
