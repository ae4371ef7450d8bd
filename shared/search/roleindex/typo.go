package roleindex

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// The number of typos between a word and a term is their edit distance
// ([text.Distance]). A difference in the first letter counts as one more, unless the
// first two letters are swapped.

// maxLetters bounds the rows of the table: the letters of a word and the typos beyond them.
const maxLetters = maxWordBytes + 3

// termWalk finds the terms within a number of typos of a word. It walks the sorted terms
// as if they were a trie: the terms of a range share a prefix and its row of the distance
// table, which is computed once, and a range with too many typos in its prefix is skipped.
type termWalk struct {
	terms  packed
	word   []rune
	typos  int
	prefix bool                // a prefix of a term counts as the term
	found  func(low, high int) // is called with ranges of terms

	path [maxLetters]rune
	rows [maxLetters][maxLetters]uint8
}

func (w *termWalk) visitAll() {
	for j := range len(w.word) + 1 {
		w.rows[0][j] = uint8(j)
	}
	w.visitRange(0, w.terms.len(), 0, 0, 0)
}

// visitRange visits the terms in [low, high), which share a prefix of size bytes and
// depth letters. Each has at least the fewest typos.
func (w *termWalk) visitRange(low, high, size, depth, fewest int) {
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
	switch {
	case depth+1 == maxLetters:
	case fewest == w.typos, depth == 0 && w.typos == 1: // a wrong first letter is two
		w.visitFree(low, high, size, depth)
	default: // letter after letter
		for low < high {
			letter, width := utf8.DecodeRune(w.terms.at(low)[size:])
			end := w.sharedPrefixEnd(low, high, size, w.terms.at(low)[size:size+width])
			w.visitLetter(low, end, size+width, depth, letter)
			low = end
		}
	}
}

// visitFree visits the terms in [low, high) with a next letter that can be without a further typo.
func (w *termWalk) visitFree(low, high, size, depth int) {
	var room [maxFree]rune
	letters := room[:0] // those that complete a swap are among them, because they also follow an added letter
	for j := max(0, depth-w.typos); j < min(len(w.word), depth+w.typos+1); j++ {
		if int(w.rows[depth][j]) <= w.typos {
			letters = append(letters, w.word[j])
		}
	}
	slices.Sort(letters)
	var encoded [utf8.UTFMax]byte
	for _, letter := range slices.Compact(letters) {
		next := encoded[:utf8.EncodeRune(encoded[:], letter)]
		low += sort.Search(high-low, func(i int) bool { return bytes.Compare(w.terms.at(low + i)[size:], next) >= 0 })
		if end := w.sharedPrefixEnd(low, high, size, next); low < end {
			w.visitLetter(low, end, size+len(next), depth, letter)
			low = end
		}
	}
}

// visitLetter visits the terms in [low, high); their prefix of size bytes is depth letters and the given one.
func (w *termWalk) visitLetter(low, high, size, depth int, letter rune) {
	w.path[depth] = letter
	if !w.terms.hasStringOf(len(w.word)-w.typos, low, high) {
		return // all are too short
	}
	depth++
	row := w.rows[depth][:]
	above := w.rows[depth-1][:]
	before := w.rows[max(0, depth-2)][:]
	fewest := text.NextDistances(row, above, before, w.word, w.path[:depth], w.typos) + w.firstLetterPenalty(depth)
	if fewest <= w.typos {
		w.visitRange(low, high, size, depth, fewest)
	}
}

// maxFree is the number of letters that can be free: each place of the word within two typos.
const maxFree = 5

// sharedPrefixEnd returns the end of the range of terms, from low on, that have the same bytes at size.
func (w *termWalk) sharedPrefixEnd(low, high, size int, shared []byte) int {
	return low + sort.Search(high-low, func(i int) bool { return !bytes.HasPrefix(w.terms.at(low + i)[size:], shared) })
}

// distanceAt returns the typos between the word and a prefix of depth letters, or more than the walk's.
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
