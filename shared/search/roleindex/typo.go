package roleindex

import (
	"bytes"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// The number of typos between a word and a term is their edit distance
// ([text.Distance]). A difference in the first letter counts as one more, unless the
// first two letters are swapped.

// maxLetters bounds the rows of the table: the letters of a word and the typos beyond
// them.
const maxLetters = maxWordBytes + 3

// termWalk finds the terms within a number of typos of a word. It walks the sorted terms
// as if they were a trie: the terms of a range share a prefix, whose row of the distance
// table is computed once, and a range with too many typos in its prefix is skipped.
type termWalk struct {
	terms  packed
	word   []rune
	typos  int
	prefix bool                // a prefix of a term counts as the term
	found  func(low, high int) // is called with ranges of terms

	path [maxLetters]rune
	rows [maxLetters][maxLetters]uint8
}

// visitAll visits all terms.
func (w *termWalk) visitAll() {
	for j := range len(w.word) + 1 {
		w.rows[0][j] = uint8(j)
	}
	w.visitRange(0, w.terms.len(), 0, 0)
}

// visitRange visits the terms in [low, high), which share a prefix of size bytes and
// depth letters.
func (w *termWalk) visitRange(low, high, size, depth int) {
	if w.prefix && w.distanceAt(depth) <= w.typos {
		w.found(low, high)
		return
	}
	if len(w.terms.at(low)) == size { // the shortest comes first: the prefix itself
		if w.distanceAt(depth) <= w.typos {
			w.found(low, low+1)
		}
		low++
	}
	if depth+1 == maxLetters {
		return
	}
	for low < high {
		letter, width := utf8.DecodeRune(w.terms.at(low)[size:])
		next := w.sharedPrefixEnd(low, high, size, size+width)
		w.path[depth] = letter
		if w.fillRow(depth+1) <= w.typos {
			w.visitRange(low, next, size+width, depth+1)
		}
		low = next
	}
}

// sharedPrefixEnd returns the end of the range of terms that have the same bytes from
// size to end as the term at low. Most ranges are short: the step doubles until it is
// beyond.
func (w *termWalk) sharedPrefixEnd(low, high, size, end int) int {
	shared := w.terms.at(low)[size:end]
	same := func(i int) bool {
		t := w.terms.at(i)
		return len(t) >= end && bytes.Equal(t[size:end], shared)
	}
	step := 1
	for low+step < high && same(low+step) {
		low += step
		step *= 2
	}
	high = min(high, low+step)
	for low+1 < high { // low shares, high does not
		if mid := (low + high) / 2; same(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// fillRow computes the row of a prefix of depth letters, and returns the fewest typos
// that any term with the prefix can have.
func (w *termWalk) fillRow(depth int) int {
	row, above, before := w.rows[depth][:], w.rows[depth-1][:], w.rows[max(0, depth-2)][:]
	return text.NextDistances(row, above, before, w.word, w.path[:depth], w.typos) + w.firstLetterPenalty(depth)
}

// distanceAt returns the number of typos between the word and a prefix of depth letters, or a
// number above the walk's.
func (w *termWalk) distanceAt(depth int) int {
	if max(depth-len(w.word), len(w.word)-depth) > w.typos {
		return w.typos + 1 // the cell is not filled
	}
	return int(w.rows[depth][len(w.word)]) + w.firstLetterPenalty(depth)
}

// firstLetterPenalty returns 1 if the first letters differ. After only one letter it may
// still turn out to be a swap.
func (w *termWalk) firstLetterPenalty(depth int) int {
	switch {
	case depth == 0 || w.path[0] == w.word[0]:
		return 0
	case len(w.word) > 1 && w.path[0] == w.word[1] && (depth == 1 || w.path[1] == w.word[0]):
		return 0
	}
	return 1
}
