package crm

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Filter says which candidates of a book are wanted. The zero value wants all.
type Filter struct {
	// Query are words that must all be found in name, headline, location or
	// employers, each as a word or the beginning of one, in any spelling that folds
	// to the same (package text).
	Query string
	// Tags and Statuses pass a candidate that has any of them; none pass everybody.
	Tags, Statuses []string
}

// matcher is a filter with its query taken apart.
type matcher struct {
	Filter
	words []string
}

func (f Filter) newMatcher() matcher { return matcher{f, text.Words(f.Query)} }

// hitKind tells how a row fits: not at all, by its name, or by something else.
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
		if left = missingWords(left, field); len(left) == 0 {
			return otherHit
		}
	}
	return noHit
}

// otherFields is everything but the name that a query looks at.
func (r Row) otherFields() []string {
	return append([]string{r.OneLiner, r.Location, r.Company}, r.Employers...)
}

// missingWords are those of the words that no word of the field begins with.
func missingWords(words []string, field string) []string {
	if len(words) == 0 || field == "" {
		return words
	}
	in := text.Words(field)
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(in, func(w string) bool { return strings.HasPrefix(w, word) })
	})
}
