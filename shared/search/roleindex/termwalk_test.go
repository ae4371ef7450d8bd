package roleindex

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// typosPlainly returns the number of typos between a word and a term, by the rules above maxLetters in
// query.go.
func typosPlainly(word, term string) int {
	typos := text.Distance([]rune(word), []rune(term), maxWordBytes)
	switch {
	case len(term) == 0 || term[0] == word[0]:
		return typos
	case len(term) > 1 && len(word) > 1 && term[0] == word[1] && term[1] == word[0]:
		return typos
	}
	return typos + 1
}

// beginsWithin reports whether a term begins with the word within a number of typos.
func beginsWithin(word, term string, typos int) bool {
	for n := range len(term) + 1 {
		if n > 0 && typosPlainly(word, term[:n]) <= typos {
			return true
		}
	}
	return false
}

// drawMisspelt draws the word with up to three letters removed, added, or swapped.
func drawMisspelt(r *rapid.T, word string) string {
	for range rapid.IntRange(0, 3).Draw(r, "edits") {
		at := rapid.IntRange(0, len(word)-2).Draw(r, "at")
		switch head, a, b, tail := word[:at], word[at:at+1], word[at+1:at+2], word[at+2:]; rapid.IntRange(0, 2).Draw(r, "edit") {
		case 0:
			word = head + b + tail
		case 1:
			word = head + b + a + b + tail
		case 2:
			word = head + b + a + tail
		}
		if len(word) < 2 {
			break
		}
	}
	return word
}

// TestTermWalk holds the walk to a plain comparison with every term.
func TestTermWalk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		word := rapid.StringMatching(`[a-c]{4,9}`).Draw(r, "word")
		terms := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c]{1,8}`), 0, 100, rapid.ID).Draw(r, "terms")
		for range rapid.IntRange(1, 100).Draw(r, "misspelt") {
			terms = append(terms, drawMisspelt(r, word))
		}
		slices.Sort(terms)
		terms = slices.Compact(terms)
		list := newPacked()
		for _, term := range terms {
			list.add(term)
		}
		typos := rapid.IntRange(1, 2).Draw(r, "typos")
		prefix := rapid.Bool().Draw(r, "prefix")
		var want, got []string
		for _, term := range terms {
			if typosPlainly(word, term) <= typos || prefix && beginsWithin(word, term, typos) {
				want = append(want, term)
			}
		}
		walk := termWalk{terms: newTermList(list), word: []rune(word), typos: typos, prefix: prefix}
		walk.found = func(low, high int) { got = append(got, terms[low:high]...) }
		walk.visitAll()
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("%q, %d typos (-want +got):\n%s", word, typos, diff)
		}
	})
}

// TestTermOf holds hasTermOf to a look at each term.
func TestTermOf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		terms := slices.Repeat([]string{"a"}, rapid.IntRange(0, 8*blockTerms).Draw(r, "terms"))
		if len(terms) > 0 {
			terms[rapid.IntRange(0, len(terms)-1).Draw(r, "at")] = "aaaa"
		}
		list := newPacked()
		for _, term := range terms {
			list.add(term)
		}
		low := rapid.IntRange(0, len(terms)).Draw(r, "low")
		high := rapid.IntRange(low, len(terms)).Draw(r, "high")
		size := rapid.IntRange(1, 5).Draw(r, "size")
		want := slices.ContainsFunc(terms[low:high], func(term string) bool { return len(term) >= size })
		if got := newTermList(list).hasTermOf(size, low, high); got != want {
			r.Fatalf("%d bytes in [%d, %d): %t; want %t", size, low, high, got, want)
		}
	})
}
