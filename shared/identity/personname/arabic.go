package personname

import "strings"

// arabicConsonants evens out English, French and German spellings of Arabic consonants.
var arabicConsonants = newReplacer("arabicConsonants")

// arabicArticles are the article and parts of names that Arabic alone has.
var arabicArticles = nameWordSet("al el bin bint ibn abu abdul abdel abd")

// soundsArabic reports whether two words have the same consonants, and vowels that differ as
// romanisations of Arabic do: any vowel may be e, and short ones are left out. The article may
// be part of a word.
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

// matchVowels compares two keys letter by letter.
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
