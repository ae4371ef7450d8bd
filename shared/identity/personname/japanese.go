package personname

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// morae matches words of Japanese syllables in Hepburn or Kunrei.
var morae = text.Expression(`^(?:(?:k{1,2}y?|ss?h?|ss?y|tt?s?|t?ch|t?ty|nn?y?|h[yh]?|f|mm?y?|y|` +
	`r{1,2}y?|w|gg?y?|zz?y?|j|dd?|bb?y?|pp?y?)?[aeiou]|n)+h?$`)

// longVowels and hepburn even out Hepburn with and without long vowels, Kunrei, and m before
// labials.
var (
	longVowels = strings.NewReplacer("ou", "o", "oo", "o", "uu", "u", "aa", "a", "ii", "i")
	hepburn    = strings.NewReplacer(
		"sya", "sha", "syu", "shu", "syo", "sho", "tya", "cha", "tyu", "chu", "tyo", "cho", "zya", "ja", "zyu", "ju",
		"zyo", "jo", "jya", "ja", "jyu", "ju", "jyo", "jo",
		"si", "shi", "ti", "chi", "tsu", "tsu", "tu", "tsu", "hu", "fu", "zi", "ji", "di", "ji", "tch", "cch", "mb", "nb", "mp", "np", "mm", "nm")
	longH = text.Expression(`oh([^aeiou]|$)`)
)

// soundsJapanese reports whether two words of Japanese syllables are one in different
// romanisations: Ono and Ohno, Shota and Syouta.
func soundsJapanese(a, b string) bool {
	a = longH().ReplaceAllString(a, "o$1")
	b = longH().ReplaceAllString(b, "o$1")
	return morae().MatchString(a) && morae().MatchString(b) && japaneseKey(a) == japaneseKey(b)
}

func japaneseKey(word string) string { return hepburn.Replace(longVowels.Replace(word)) }
