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

func (f Filter) matcher() matcher { return matcher{f, text.Words(f.Query)} }

// found tells how a row fits: not at all, by its name, or by something else.
type found int

const (
	unfit found = iota
	byName
	elsewhere
)

func (m matcher) look(r Row) found {
	switch {
	case len(m.Statuses) > 0 && !slices.Contains(m.Statuses, r.Status):
		return unfit
	case len(m.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(m.Tags, t) }):
		return unfit
	}
	left := missing(m.words, r.Name)
	if len(left) == 0 {
		return byName
	}
	for _, field := range r.beside() {
		if left = missing(left, field); len(left) == 0 {
			return elsewhere
		}
	}
	return unfit
}

// beside is everything but the name that a query looks at.
func (r Row) beside() []string {
	return append([]string{r.OneLiner, r.Location, r.Company}, r.Employers...)
}

// missing are those of the words that no word of the field begins with.
func missing(words []string, field string) []string {
	if len(words) == 0 || field == "" {
		return words
	}
	in := text.Words(field)
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(in, func(w string) bool { return strings.HasPrefix(w, word) })
	})
}
