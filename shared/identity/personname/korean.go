package personname

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// koreanWord matches words of Korean syllables in any romanisation.
var koreanWord = text.Expression(`^(?:(?:kk|tt|pp|ss|jj|ch|sh|[kgdtbpmnrlsjh])?[yw]?` +
	`(?:eo|eu|ae|oe|ui|ee|oo|ou|ai|[aeiou])(?:ng|ck|rk|[nmklpbtgdr])?)+$`)

// koreanSounds evens out the Revised Romanisation, McCune–Reischauer and common spellings.
var koreanSounds = strings.NewReplacer(
	"yeong", "yong", "young", "yong", "yung", "yong", "yeo", "yo", "you", "yo", "eo", "o", "eu", "u", "oo", "u",
	"ou", "u", "ee", "i", "ae", "e", "ai", "e",
	"kk", "k", "ck", "k", "tt", "t", "pp", "p", "jj", "c", "ch", "c", "sh", "s", "wu", "u", "j", "c", "g", "k", "d", "t",
	"b", "p", "r", "l", "u", "o")

// koreanFamilies are spellings of the same family name that sound apart.
var koreanFamilies = [][]string{
	{"lee", "yi", "rhee", "ri", "i", "li", "rhie"}, {"park", "pak", "bak", "bark"}, {"choi", "choe", "choy", "chwe"},
	{"kim", "gim"}, {"lim", "im", "rim", "yim"}, {"ryu", "yu", "yoo", "ryoo", "you"},
	{"noh", "roh", "no", "ro"}, {"na", "ra", "rah", "nah"}, {"yang", "ryang"}, {"woo", "u", "wu"},
	{"shin", "sin", "shinn"}, {"oh", "o"}, {"jo", "cho", "joe"}, {"jung", "jeong", "chung", "chong", "joung"},
	{"kang", "gang"},
	{"ko", "go", "koh", "goh"}, {"ahn", "an"}, {"hur", "heo", "huh", "her"}, {"noh", "nho"}, {"moon", "mun"},
	{"son", "sohn"}, {"bae", "pae", "bai"}, {"baek", "paek", "paik", "baik"}, {"kwak", "gwak"}, {"kwon", "gwon"},
	{"seo", "suh", "sur", "so"},
	{"yoon", "yun", "youn"}, {"song", "sung", "seong"}, {"hwang", "whang"}, {"yeo", "yuh"}, {"han", "hahn"},
	{"jang", "chang"}, {"jeon", "jun", "chun", "cheon"}, {"joo", "ju", "choo", "chu"}, {"min"}, {"nam"}, {"hong"}, {"ha"},
	{"cha"},
}

// areOneKoreanFamily reports whether two words are romanisations of one family name.
func areOneKoreanFamily(a, b string) bool {
	return slices.ContainsFunc(koreanFamilies, func(family []string) bool {
		return slices.Contains(family, a) && slices.Contains(family, b)
	})
}

// areSameInKorean reports whether two names of Korean syllables, one of which is a family
// name, are one name in different romanisations, in either order.
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
		{words[0], koreanSounds.Replace(strings.Join(words[1:], ""))},
		{words[n-1], koreanSounds.Replace(strings.Join(words[:n-1], ""))},
	}
}

// Letters of Korean syllables in the Revised Romanisation, in Unicode's order.
var (
	koreanHeads  = strings.Split("g kk n d tt r m b pp s ss  j jj ch k t p h", " ")
	koreanVowels = strings.Split("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i", " ")
	koreanTails  = strings.Split(" k k k n n n t l k m l l l p l m p p t t ng t t k t p t", " ")
)

// The block of Korean syllables.
const (
	firstHangul = 0xac00
	lastHangul  = 0xd7a3
)

// romaniseHangul returns a syllable in Latin letters, or "".
func romaniseHangul(r rune) string {
	if r < firstHangul || r > lastHangul {
		return ""
	}
	at := int(r - firstHangul)
	tails := len(koreanTails)
	return koreanHeads[at/tails/len(koreanVowels)] + koreanVowels[at/tails%len(koreanVowels)] + koreanTails[at%tails]
}

// mayBeKorean reports whether a Latin name has the family name, or the given name, of a name in
// Korean letters, or a single syllable of one.
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
	given := koreanSounds.Replace(strings.Join(syllables[1:], ""))
	return slices.ContainsFunc(splitFamily(words), func(split [2]string) bool {
		return split[1] == given || isFamily(split[0], syllables[0]) || split[0] == given
	})
}

// isFamily reports whether two spellings are of one family name.
func isFamily(a, b string) bool {
	return koreanSounds.Replace(a) == koreanSounds.Replace(b) || areOneKoreanFamily(a, b)
}
