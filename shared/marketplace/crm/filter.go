package crm

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Filter selects candidates of a recruiter. The zero value selects all.
type Filter struct {
	// Query are words that must all be found in name, headline, location or
	// employers, each as a word or the beginning of one, in any spelling that folds
	// to the same (package text). The first ten count. Without a letter or digit it
	// selects none.
	Query string
	// Tags and Statuses select candidates that have any of them; if empty, all.
	Tags, Statuses []string
}

// matcher is a filter with its query split into words.
type matcher struct {
	Filter
	words []string
}

// maxWords is how many words of a query count (contract, Limits).
const maxWords = 10

func (f Filter) newMatcher() matcher {
	words := text.Words(f.Query)
	return matcher{f, words[:min(len(words), maxWords)]}
}

// selectsNone reports whether the query has no word that could be found.
func (m matcher) selectsNone() bool { return m.Query != "" && len(m.words) == 0 }

// hitKind says whether a row is selected, and whether its name alone has the words.
type hitKind int

const (
	noHit hitKind = iota
	nameHit
	otherHit
)

func (m matcher) classifyRow(r Row) hitKind {
	switch {
	case len(m.Statuses) > 0 && !slices.Contains(m.Statuses, r.Status):
		return noHit
	case len(m.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(m.Tags, t) }):
		return noHit
	}
	left := missingWords(m.words, r.Name)
	if len(left) == 0 {
		return nameHit
	}
	for _, field := range r.otherFields() {
		left = missingWords(left, field)
		if len(left) == 0 {
			return otherHit
		}
	}
	return noHit
}

// otherFields returns the searched fields other than the name.
func (r Row) otherFields() []string {
	return append([]string{r.OneLiner, r.Location, r.Company}, r.Employers...)
}

// missingWords returns those of words that no word of the field begins with.
func missingWords(words []string, field string) []string {
	if len(words) == 0 || field == "" {
		return words
	}
	in := text.Words(field)
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(in, func(w string) bool { return strings.HasPrefix(w, word) })
	})
}
