package role

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// nameHider replaces names in texts: whole words, regardless of case, accents,
// width and what separates the words of a name; and words that contain a name, as
// handles and domains do.
type nameHider struct {
	label string
	// names by their first word, longest first.
	names map[string][][]string
	// joined are names written as one word.
	joined []string
}

// A word is hidden if it begins with a name of minPrefix bytes or more, or contains one of
// minInfix or more: a shorter name may occur in other words by chance, but hardly in a domain
// or a handle, where minJoined bytes are enough.
const (
	minJoined = 3
	minPrefix = 5
	minInfix  = 8
)

// legalForms may end a company's name; people leave them out.
var legalForms = []string{"inc", "incorporated", "llc", "ltd", "limited", "corp", "corporation", "co", "company", "gmbh", "ag", "plc", "sa", "sas", "bv", "ab", "oy", "pbc", "holdings"}

// newNameHider returns a hider that replaces names by a label.
func newNameHider(label string, names ...string) nameHider {
	h := nameHider{label: label, names: map[string][][]string{}}
	for _, name := range names {
		words := nameWords(name)
		if len(words) > 2 && words[0] == "the" {
			h.addName(words[1:])
		}
		h.addName(words)
		for len(words) > 1 && (slices.Contains(legalForms, words[len(words)-1]) || words[len(words)-1] == andWord) {
			words = words[:len(words)-1]
			h.addName(words)
		}
		h.addJoined(words)
		h.addJoined(dropAnds(words))
	}
	for _, all := range h.names {
		slices.SortFunc(all, func(a, b []string) int { return cmp.Compare(len(b), len(a)) })
	}
	return h
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

// dropAnds returns words without the inner "and"s.
func dropAnds(words []string) (some []string) {
	for i, w := range words {
		if w != andWord || i == 0 || i == len(words)-1 {
			some = append(some, w)
		}
	}
	return some
}

func (h nameHider) addName(words []string) {
	if words = dropAnds(words); len(words) > 0 {
		h.names[words[0]] = append(h.names[words[0]], words)
	}
}

// addJoined adds a name written as one word.
func (h *nameHider) addJoined(words []string) {
	joined := strings.Join(words, "")
	if len(joined) >= minJoined {
		h.joined = append(h.joined, joined)
	}
	if joined != "" {
		h.addName([]string{joined})
	}
}

// word is one word of a text with its offsets.
type word struct {
	folded     string
	start, end int
	inAddress  bool
}

// maxGap is how many bytes may separate two words of a name.
const maxGap = 40

// markup matches what may separate words without being one: tags, entities and
// escaped bytes.
var markup = text.Expression(`<[^<>]{0,200}>|&#?[0-9A-Za-z]{1,10};|%[0-9A-Fa-f]{2}`)

// hideNames replaces every name in s, in the words as they are and in those that are left
// without markup.
func (h nameHider) hideNames(s string) string {
	if len(h.names) == 0 || s == "" {
		return s
	}
	s = norm.NFC.String(s)
	s = h.replaceNames(s, splitWords(s))
	if !strings.ContainsAny(s, "<&%") {
		return s // without markup
	}
	if blank := markup().ReplaceAllStringFunc(s, blankOut); blank != s {
		s = h.replaceNames(s, splitWords(blank))
	}
	return s
}

func blankOut(s string) string { return strings.Repeat(" ", len(s)) }

// replaceNames puts the label in the place of names among the words of s.
func (h nameHider) replaceNames(s string, words []word) string {
	var out strings.Builder
	from := 0
	for i := 0; i < len(words); i++ {
		n := h.matchNames(words[i:])
		if n == 0 {
			continue
		}
		out.WriteString(s[from:words[i].start])
		out.WriteString(h.label)
		i += n - 1
		from = words[i].end
	}
	if from == 0 {
		return s
	}
	return out.String() + s[from:]
}

// matchNames returns how many words at the beginning are a name; 0 if they are none.
func (h nameHider) matchNames(words []word) int {
	for _, name := range h.names[words[0].folded] {
		if n := matchName(words, name); n > 0 {
			return n
		}
	}
	if slices.ContainsFunc(h.joined, words[0].containsName) {
		return 1
	}
	return 0
}

// matchName returns how many words at the beginning are this name; 0 if they are not.
func matchName(words []word, name []string) int {
	n := 1
	for _, next := range name[1:] {
		if n < len(words)-1 && words[n].folded == andWord {
			n++
		}
		if n == len(words) || words[n].folded != next || words[n].start-words[n-1].end > maxGap {
			return 0
		}
		n++
	}
	return n
}

// containsName reports whether the word is made with a name.
func (w word) containsName(name string) bool {
	if len(name) >= minInfix || w.inAddress {
		return strings.Contains(w.folded, name)
	}
	return len(name) >= minPrefix && strings.HasPrefix(w.folded, name)
}

func wordsOf(s string) []string {
	var all []string
	for _, w := range splitWords(norm.NFC.String(s)) {
		all = append(all, w.folded)
	}
	return all
}

// splitWords finds the words of a text. In scripts that are written without spaces
// every character is one.
func splitWords(s string) []word {
	var words []word
	start := -1
	finish := func(end int) {
		if start >= 0 {
			if folded := text.Fold(s[start:end]); folded != "" {
				words = append(words, word{folded: folded, start: start, end: end})
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			finish(i)
			start = i
			finish(i + len(string(r)))
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r):
			if start < 0 {
				start = i
			}
		default:
			finish(i)
		}
	}
	finish(len(s))
	markAddresses(s, words)
	return words
}

// markAddresses marks the words of domains, handles and e-mail addresses.
func markAddresses(s string, words []word) {
	before := func(w word) byte { // the character before a word
		if w.start == 0 {
			return ' '
		}
		return s[w.start-1]
	}
	for len(words) > 0 {
		n, address := 1, before(words[0]) == '@'
		for ; n < len(words) && words[n].start == words[n-1].end+1 && strings.IndexByte(".-_@", before(words[n])) >= 0; n++ {
			address = address || before(words[n]) == '@' || before(words[n]) == '.' && publicSuffix(words[n].folded) != ""
		}
		for i := range words[:n] {
			words[i].inAddress = address
		}
		words = words[n:]
	}
}
