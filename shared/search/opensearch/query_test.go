package opensearch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// TestNoConditionHasMoreTermsThanADomainTakes fails if a condition has more values than a domain takes, or if the conditions together have others
// than the roles that changed: three minutes of 1,000 changes a second.
func TestNoConditionHasMoreTermsThanADomainTakes(t *testing.T) {
	t.Parallel()
	const most = 65_536
	for _, n := range []int{0, 1, most, most + 1, 180_000} {
		changed := make([]string, n)
		for i := range changed {
			changed[i] = fmt.Sprintf("role-%06d", i)
		}
		var got []string
		for _, condition := range excludedOf(t, Scope{Changed: changed}.conditions()) {
			if len(condition.Terms.ID) > most {
				t.Errorf("%d values in one condition", len(condition.Terms.ID))
			}
			got = append(got, condition.Terms.ID...)
		}
		slices.Sort(got)
		if !slices.Equal(got, changed) {
			t.Errorf("of %d changed roles %d are excluded, or others", n, len(got))
		}
	}
}

// termsCondition is a condition of one of the given ids, or of any of several conditions.
type termsCondition struct {
	Terms struct {
		ID []string `json:"id"`
	} `json:"terms"`
	Bool struct {
		Should []termsCondition `json:"should"`
	} `json:"bool"`
}

// excludedOf returns the conditions of what a query excludes.
func excludedOf(t *testing.T, query object) (conditions []termsCondition) {
	t.Helper()
	raw, err := json.Marshal(query)
	var decoded struct {
		Bool struct {
			MustNot []termsCondition `json:"must_not"`
		} `json:"bool"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, condition := range decoded.Bool.MustNot {
		conditions = append(append(conditions, condition), condition.Bool.Should...)
	}
	return conditions
}

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
