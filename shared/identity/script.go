package identity

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// romanised replaces Cyrillic and Greek letters, folded and without marks, by Latin
// ones. Passports and their owners vary in that spelling; soundKey evens it out.
var romanised = strings.NewReplacer(
	"ου", "ou", "μπ", "b", "ντ", "d", "γκ", "g",
	"а", "a", "б", "b", "в", "v", "г", "g", "ґ", "g", "д", "d", "е", "e", "є", "ye", "ж", "zh", "з", "z", "и", "i", "і", "i", "к", "k", "л", "l",
	"м", "m", "н", "n", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "у", "u", "ф", "f", "х", "kh", "ц", "ts", "ч", "ch", "ш", "sh", "щ", "shch",
	"ъ", "", "ы", "y", "ь", "", "э", "e", "ю", "yu", "я", "ya", "ђ", "d", "ј", "j", "љ", "lj", "њ", "nj", "ћ", "c", "џ", "dz", "қ", "k", "ғ", "g", "ң", "n", "ө", "o", "ү", "u", "ұ", "u", "һ", "h", "ә", "a",
	"α", "a", "β", "v", "γ", "g", "δ", "d", "ε", "e", "ζ", "z", "η", "i", "θ", "th", "ι", "i", "κ", "k", "λ", "l", "μ", "m", "ν", "n", "ξ", "x",
	"ο", "o", "π", "p", "ρ", "r", "σ", "s", "ς", "s", "τ", "t", "υ", "y", "φ", "f", "χ", "h", "ψ", "ps", "ω", "o",
)

var (
	digraphs = strings.NewReplacer("tch", "ch", "shch", "sch", "kh", "h", "ph", "f", "ck", "k", "x", "ks", "w", "v", "ou", "u", "oo", "u", "yo", "e", "jo", "e",
		"q", "k", "ts", "c", "tz", "c", "cz", "c", "iu", "yu", "gia", "ya", "gio", "yo", "gr", "hr", "gh", "g")
	arabicArticle = regexp.MustCompile(`^[ae]l([a-z]{5,})$`)
	softVowel     = regexp.MustCompile(`[iyj]+([aeou])`)
	closeVowel    = regexp.MustCompile(`[iyj]+`)
)

// soundsLike reports whether two words of four to forty ASCII letters have one sound key.
func soundsLike(a, b string) bool {
	return min(len(a), len(b)) >= 4 && max(len(a), len(b)) <= 40 && isASCII(a+b) && soundKey(a) == soundKey(b)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// soundKey makes the usual romanisations of one name equal: Yevgeniy and Evgeny,
// Tchaikovsky and Chaikovskii, Sergei and Sergey. The key itself is not a spelling.
func soundKey(s string) string {
	s = arabicArticle.ReplaceAllString(s, "$1")
	s = softVowel.ReplaceAllString(digraphs.Replace(foldUmlauts(s)), "$1")
	return collapseDoubles(closeVowel.ReplaceAllString(s, "i"))
}

// collapseDoubles replaces repeated letters by one.
func collapseDoubles(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}
