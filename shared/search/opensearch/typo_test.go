package opensearch

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// countTypos is the number of typos of a term by the rule of package roleindex.
func countTypos(word, term []rune) int {
	n := text.Distance(word, term, 3)
	if word[0] == term[0] || word[0] == term[1] && word[1] == term[0] {
		return n
	}
	return n + 1
}

// accepts is what Lucene makes of a pattern.
func (p pattern) accepts(term []rune) bool {
	return strings.HasPrefix(string(term), string([]rune(p.text)[:p.fixed])) && text.Distance([]rune(p.text), term, p.typos) <= p.typos
}

// TestPatternsAreTheRule holds that a word's patterns together accept exactly the terms within its
// typos, over so few letters that first letters are often swapped and repeated.
func TestPatternsAreTheRule(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := []rune(rapid.StringMatching(`[abc]{4,7}`).Draw(t, "word"))
		for range 50 {
			term := []rune(rapid.StringMatching(`[abc]{2,9}`).Draw(t, "term"))
			for typos := 1; typos <= 2; typos++ {
				got := slices.ContainsFunc(misspellings(string(word), typos), func(p pattern) bool { return p.accepts(term) })
				if want := countTypos(word, term) <= typos; got != want {
					t.Fatalf("%s, %d typos: %s is accepted: %t", string(word), typos, string(term), got)
				}
			}
		}
	})
}
