package role

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// namePhrase is a sequence of words that is withheld.
type namePhrase struct {
	words []string
	// maxGap is how many bytes may separate two of the words.
	maxGap int
}

// maxGap is how many bytes may separate two words of a name.
const maxGap = 40

// addName adds a name of a company: as it is and without what people leave out, in one word, and its
// distinctive words.
func (h *nameHider) addName(name string) {
	words := nameWords(name)
	if len(words) > 2 && words[0] == "the" {
		h.addPhrase(words[1:], maxGap)
	}
	h.addPhrase(words, maxGap)
	h.addPhrase(nameWords(splitCase(name)), maxGap)
	words = h.addWithoutLegalForms(words)
	h.addJoined(words)
	for _, w := range words {
		isAnyName := isCommon(w) || strings.Trim(w, "0123456789") == ""
		if utf8.RuneCountInString(w) > 1 && !isAnyName {
			h.addWord(w)
		}
	}
}

// addWithoutLegalForms adds the words of a name without the legal forms at its ends, and returns what
// is left at last. A common word does not stay alone.
func (h *nameHider) addWithoutLegalForms(words []string) []string {
	for {
		less := withoutLegalForm(words)
		if len(less) == len(words) || len(less) == 1 && isCommon(less[0]) {
			return words
		}
		words = less
		h.addPhrase(words, maxGap)
	}
}

// withoutLegalForm returns the words of a name without one legal form, which may be several words:
// "S.A." and the characters of 株式会社 are.
func withoutLegalForm(words []string) []string {
	if len(words) > 1 && words[len(words)-1] == andWord {
		return words[:len(words)-1]
	}
	for n := 1; n < len(words) && n <= 4; n++ {
		if isLegalForm(strings.Join(words[len(words)-n:], "")) {
			return words[:len(words)-n]
		}
		if n > 1 && isLegalForm(strings.Join(words[:n], "")) {
			return words[n:]
		}
	}
	return words
}

// addJoined adds a name written as one word.
func (h *nameHider) addJoined(words []string) {
	for _, some := range [][]string{words, dropAnds(words)} {
		joined := strings.Join(some, "")
		if len(joined) >= minJoined && !isCommon(joined) {
			h.addWord(joined)
		} else if joined != "" {
			h.addPhrase([]string{joined}, maxGap)
		}
	}
}

// addWord adds a word that is sought within others too.
func (h *nameHider) addWord(w string) {
	h.addPhrase([]string{w}, maxGap)
	if !slices.Contains(h.compounds, w) {
		h.compounds = append(h.compounds, w)
	}
}

// addPhrase adds words without the inner "and"s.
func (h *nameHider) addPhrase(words []string, gap int) {
	words = dropAnds(words)
	if len(words) > 0 {
		h.phrases[words[0]] = append(h.phrases[words[0]], namePhrase{words, gap})
	}
}

// addHost adds the host of a website, and the domain that the company registered.
func (h *nameHider) addHost(host string) {
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	h.addPhrase(wordsOf(host), 1)
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		h.addPhrase(wordsOf(domain), 1)
	}
}

// andWord may be written for an ampersand, and both may be left out.
const andWord = "and"

// nameWords returns the words of a name, its ampersands spelled out.
func nameWords(name string) (words []string) {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '&' || r == '＆' }) {
		more := wordsOf(part)
		if len(words) > 0 && len(more) > 0 {
			words = append(words, andWord)
		}
		words = append(words, more...)
	}
	return words
}

func dropAnds(words []string) (some []string) {
	for i, w := range words {
		if w != andWord || i == 0 || i == len(words)-1 {
			some = append(some, w)
		}
	}
	return some
}

func wordsOf(s string) []string {
	var all []string
	for _, w := range splitWords(norm.NFC.String(s)) {
		all = append(all, w.folded)
	}
	return all
}
