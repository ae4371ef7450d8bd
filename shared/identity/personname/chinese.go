package personname

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// chineseWord matches words of Mandarin syllables in Pinyin or Wade-Giles.
var chineseWord = text.Expression(`^(?:(?:zh|ch|sh|hs|ts|tz|sz|[bpmfdtnlgkhjqxrzcsyw])?` +
	`(?:i?ang|i?ong|i?ung|ieh|ueh|i?ao|uai|eng|ing|ien|ian|uan|uen|` +
	`ou|iu|ei|ai|ui|uo|ie|ue|ua|ia|an|en|in|un|ih|erh|er|a|o|e|i|u))+$`)

// mandarin evens out Pinyin and Wade-Giles without its apostrophes.
var mandarin = strings.NewReplacer(
	"zh", "c", "ch", "c", "hs", "x", "sh", "x", "ts", "z", "tz", "z", "sz", "s", "j", "c", "q", "c", "c", "z", "b", "p",
	"d", "t", "g", "k", "r", "j",
	"yang", "iang", "yung", "iong", "yong", "iong", "yan", "ian", "yen", "ian", "yao", "iao", "ya", "ia", "yeh", "ie",
	"ye", "ie", "you", "iu", "yuan", "uan", "yue", "ue", "yun", "un", "yu", "iu", "yi", "i", "yo", "io",
	"wu", "u", "wo", "o", "we", "ue", "wa", "ua", "iung", "iong",
	"ang", "ang", "eng", "eng", "ing", "ing", "ung", "ong", "ong", "ong", "ien", "ian", "ieh", "ie", "ueh", "ue",
	"ih", "i", "uo", "o", "uei", "ui")

// hasSyllables reports whether a name has as many words as a Chinese or Korean one written by
// syllables.
func hasSyllables(name []string) bool { return len(name) == 2 || len(name) == 3 }

func haveSyllables(x, y []string) bool { return hasSyllables(x) && hasSyllables(y) }

// areSameInChinese reports whether two names of Chinese syllables are one name in different
// romanisations, in the same order or with the family name at the other end.
func areSameInChinese(x, y []string) bool {
	if !haveSyllables(x, y) || slices.ContainsFunc(slices.Concat(x, y), isNoChineseWord) {
		return false
	}
	key := mandarinKey(x)
	return slices.ContainsFunc(turnName(y), func(turned []string) bool { return mandarinKey(turned) == key })
}

// mandarinKey replaces word by word, so that no syllable runs into the next word's.
func mandarinKey(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(mandarin.Replace(w))
	}
	return b.String()
}

func isNoChineseWord(word string) bool { return !chineseWord().MatchString(word) }

// turnName returns a name as it is, and with its first or last word at the other end.
func turnName(words []string) [][]string {
	n := len(words)
	return [][]string{words, append(slices.Clone(words[1:]), words[0]), append(slices.Clone(words[n-1:]), words[:n-1]...)}
}
