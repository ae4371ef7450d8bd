package personname

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// koreanWord matches words of Korean syllables in any romanisation.
var koreanWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:kk|tt|pp|ss|jj|ch|sh|[kgdtbpmnrlsjh])?[yw]?(?:eo|eu|ae|oe|ui|ee|oo|ou|ai|[aeiou])(?:ng|ck|[nmklpbtgdr])?)+$`)
})

// koreanSounds evens out the Revised Romanisation, McCune–Reischauer and common spellings.
var koreanSounds = strings.NewReplacer("yeong", "yong", "young", "yong", "yung", "yong", "yeo", "yo", "you", "yo", "eo", "o", "eu", "u", "oo", "u", "ou", "u", "ee", "i", "ae", "e", "ai", "e",
	"kk", "k", "ck", "k", "tt", "t", "pp", "p", "jj", "c", "ch", "c", "sh", "s", "wu", "u", "j", "c", "g", "k", "d", "t", "b", "p", "r", "l", "u", "o")

// koreanFamilies are spellings of the same family name that sound apart.
var koreanFamilies = [][]string{
	{"lee", "yi", "rhee", "ri", "i", "li", "rhie"}, {"park", "pak", "bak", "bark"}, {"choi", "choe", "choy", "chwe"}, {"kim", "gim"}, {"lim", "im", "rim", "yim"}, {"ryu", "yu", "yoo", "ryoo", "you"},
	{"noh", "roh", "no", "ro"}, {"na", "ra", "rah", "nah"}, {"yang", "ryang"}, {"woo", "u", "wu"}, {"shin", "sin", "shinn"}, {"oh", "o"}, {"jo", "cho", "joe"}, {"jung", "jeong", "chung", "chong", "joung"}, {"kang", "gang"},
	{"ko", "go", "koh", "goh"}, {"ahn", "an"}, {"hur", "heo", "huh", "her"}, {"noh", "nho"}, {"moon", "mun"}, {"son", "sohn"}, {"bae", "pae", "bai"}, {"baek", "paek", "paik", "baik"}, {"kwak", "gwak"}, {"kwon", "gwon"}, {"seo", "suh", "sur", "so"},
	{"yoon", "yun", "youn"}, {"song", "sung", "seong"}, {"hwang", "whang"}, {"yeo", "yuh"}, {"han", "hahn"}, {"jang", "chang"}, {"jeon", "jun", "chun", "cheon"}, {"joo", "ju", "choo", "chu"}, {"min"}, {"nam"}, {"hong"}, {"ha"}, {"cha"},
}

// areSameInKorean reports whether two names of Korean syllables, one of which is a family
// name, are one name in different romanisations, in either order.
func areSameInKorean(x, y []string) bool {
	if len(x) < 2 || len(y) < 2 || len(x) > 3 || len(y) > 3 || slices.ContainsFunc(slices.Concat(x, y), isNoKoreanWord) {
		return false
	}
	for _, a := range splitFamily(x) {
		for _, b := range splitFamily(y) {
			if a[1] == b[1] && slices.ContainsFunc(koreanFamilies, func(family []string) bool { return slices.Contains(family, a[0]) && slices.Contains(family, b[0]) }) {
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
