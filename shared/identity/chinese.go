package identity

import (
	"regexp"
	"slices"
	"strings"
)

// chineseWord matches words of Mandarin syllables in Pinyin or Wade-Giles.
var chineseWord = regexp.MustCompile(`^(?:(?:zh|ch|sh|hs|ts|tz|sz|[bpmfdtnlgkhjqxrzcsyw])?(?:i?ang|i?ong|i?ung|ieh|ueh|i?ao|uai|eng|ing|ien|ian|uan|uen|ou|iu|ei|ai|ui|uo|ie|ue|ua|ia|an|en|in|un|ih|erh|er|a|o|e|i|u))+$`)

// mandarin evens out Pinyin and Wade-Giles without its apostrophes.
var mandarin = strings.NewReplacer("zh", "c", "ch", "c", "hs", "x", "ts", "z", "tz", "z", "sz", "s", "j", "c", "q", "c", "c", "z", "b", "p", "d", "t", "g", "k",
	"ang", "ang", "eng", "eng", "ing", "ing", "ung", "ong", "ong", "ong", "ien", "ian", "ieh", "ie", "ueh", "ue", "ih", "i", "uo", "o")

// areSameInChinese reports whether two names of Chinese syllables are one name in different
// romanisations, in the same order or with the family name at the other end.
func areSameInChinese(x, y []string) bool {
	if len(x) < 2 || len(y) < 2 || len(x) > 3 || len(y) > 3 || slices.ContainsFunc(slices.Concat(x, y), isNoChineseWord) {
		return false
	}
	key := mandarin.Replace(strings.Join(x, ""))
	return slices.ContainsFunc(turnName(y), func(turned string) bool { return mandarin.Replace(turned) == key })
}

func isNoChineseWord(word string) bool { return !chineseWord.MatchString(word) }

// turnName returns a name as it is, and with its first or last word at the other end.
func turnName(words []string) []string {
	n := len(words)
	return []string{
		strings.Join(words, ""),
		strings.Join(words[1:], "") + words[0],
		words[n-1] + strings.Join(words[:n-1], ""),
	}
}
