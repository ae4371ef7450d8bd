package personname

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// chineseWord matches words of Mandarin syllables in Pinyin or Wade-Giles.
var chineseWord = text.Expression(`^(?:(?:zh|ch|sh|hs|ts|tz|sz|[bpmfdtnlgkhjqxrzcsyw])?` +
	`(?:i?ang|i?ong|i?ung|ieh|ueh|i?ao|uai|eng|ing|ien|ian|uan|uen|` +
	`ou|iu|ei|ai|ui|uo|ie|ue|ua|ia|an|en|in|un|ih|erh|er|a|o|e|i|u))+$`)

// mandarin evens out Pinyin and Wade-Giles without its apostrophes.
var mandarin = newReplacer("mandarin")

// haveSyllables reports whether both names have as many words as those of Chinese and Korean syllables.
func haveSyllables(x, y []string) bool { return min(len(x), len(y)) >= 2 && max(len(x), len(y)) <= 3 }

// areSameInChinese reports whether two romanisations are one Chinese name, perhaps with the family name at the other end.
func areSameInChinese(x, y []string) bool {
	if !haveSyllables(x, y) || slices.ContainsFunc(slices.Concat(x, y), isNoChineseWord) {
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

func isNoChineseWord(word string) bool { return !chineseWord().MatchString(word) }

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
	if !haveSyllables(x, y) || slices.ContainsFunc(slices.Concat(x, y), isNoKoreanWord) {
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

func isNoKoreanWord(word string) bool { return !koreanWord().MatchString(word) }

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

// romaniseHangul returns a syllable in Latin letters, or "".
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
