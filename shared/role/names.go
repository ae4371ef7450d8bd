package role

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// hider replaces names in texts: whole words, whatever their case, accents and
// width, and whatever stands between the words of a name.
type hider struct {
	label string
	// names by their first word, longest first.
	names map[string][][]string
}

// legalForms may end a company's name; people leave them out.
var legalForms = []string{"inc", "incorporated", "llc", "ltd", "limited", "corp", "corporation", "co", "company", "gmbh", "ag", "plc", "sa", "sas", "bv", "ab", "oy", "pbc", "holdings"}

// newHider hides names behind a label.
func newHider(label string, names ...string) hider {
	h := hider{label, map[string][][]string{}}
	for _, name := range names {
		words := wordsOf(name)
		h.add(words)
		for len(words) > 1 && slices.Contains(legalForms, words[len(words)-1]) {
			words = words[:len(words)-1]
			h.add(words)
		}
		// As in a domain name or a handle.
		h.add([]string{strings.Join(words, "")})
	}
	for _, all := range h.names {
		slices.SortFunc(all, func(a, b []string) int { return cmp.Compare(len(b), len(a)) })
	}
	return h
}

func (h hider) add(words []string) {
	if len(words) > 0 && words[0] != "" {
		h.names[words[0]] = append(h.names[words[0]], words)
	}
}

// word is one word of a text with its place.
type word struct {
	folded     string
	start, end int
}

// maxGap is how many bytes may stand between two words of a name.
const maxGap = 8

// hide replaces every name in s.
func (h hider) hide(s string) string {
	if len(h.names) == 0 || s == "" {
		return s
	}
	s = norm.NFC.String(s)
	words := split(s)
	var out strings.Builder
	from := 0
	for i := 0; i < len(words); i++ {
		n := h.match(words[i:])
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

// match tells how many words at the beginning are a name; 0 if they are none.
func (h hider) match(words []word) int {
	for _, name := range h.names[words[0].folded] {
		n := len(name)
		if n > len(words) {
			continue
		}
		fits := true
		for i := 1; i < n && fits; i++ {
			fits = words[i].folded == name[i] && words[i].start-words[i-1].end <= maxGap
		}
		if fits {
			return n
		}
	}
	return 0
}

func wordsOf(s string) []string {
	var all []string
	for _, w := range split(norm.NFC.String(s)) {
		all = append(all, w.folded)
	}
	return all
}

// split finds the words of a text. In scripts that are written without spaces
// every character is one.
func split(s string) []word {
	var words []word
	start := -1
	finish := func(end int) {
		if start >= 0 {
			if folded := text.Fold(s[start:end]); folded != "" {
				words = append(words, word{folded, start, end})
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
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
	return words
}
