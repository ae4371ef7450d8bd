package roleindex

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// lexicon is a sorted list of terms with the documents that have them.
type lexicon struct {
	terms, postings packed
}

// A posting is a byte for its form, and the ordinals' differences as varints or a set, whichever is shorter.
const (
	asVarints = 0
	asSet     = 1
)

// addDocs adds the documents of the terms in [low, high) to s, which holds n ordinals.
func (l lexicon) addDocs(s set, n, low, high int) {
	for i := low; i < high; i++ {
		addPosting(s, n, l.postings.at(i))
	}
}

// addPosting adds the documents of a posting, which it does not trust: it skips what is no ordinal of the index.
func addPosting(s set, n int, posting []byte) {
	if len(posting) == 0 {
		return
	}
	form := posting[0]
	body := posting[1:]
	if form == asSet {
		for i := range min(len(body)/8, len(s)) {
			s[i] |= column(body).u64(i)
		}
		return
	}
	next := uint64(0)
	for len(body) > 0 {
		step := uint64(body[0])
		size := 1
		if step >= 0x80 {
			step, size = binary.Uvarint(body)
			if size <= 0 {
				return
			}
		}
		body = body[size:]
		next += step
		if next >= uint64(n) {
			return
		}
		s.add(int(next))
		next++
	}
}

// lexiconWriter collects the documents of each term; documents come in ascending order.
type lexiconWriter struct {
	numbers map[string]int
	lists   []postingList
}

type postingList struct {
	term    string
	varints []byte
	next    int // the smallest ordinal that may follow
}

func (w *lexiconWriter) addAll(terms []int, ordinal int) {
	for _, number := range terms {
		w.lists[number].add(ordinal)
	}
}

// number returns the number of a term's list of documents.
func (w *lexiconWriter) number(term []byte) int {
	n, ok := w.numbers[string(term)]
	if !ok {
		n = len(w.lists)
		list := postingList{term: string(term)}
		w.lists = append(w.lists, list)
		w.numbers[list.term] = n
	}
	return n
}

// add ignores a document that the list has already.
func (l *postingList) add(ordinal int) {
	if ordinal >= l.next {
		l.varints = binary.AppendUvarint(l.varints, uint64(ordinal-l.next))
		l.next = ordinal + 1
	}
}

// encode sorts the terms, and returns them with their postings; n is the number of documents.
func (w *lexiconWriter) encode(n int) lexicon {
	slices.SortFunc(w.lists, func(a, b postingList) int { return strings.Compare(a.term, b.term) })
	l := lexicon{newPacked(), newPacked()}
	for _, list := range w.lists {
		l.terms.add(list.term)
		if len(list.varints) <= 8*wordCount(n) {
			l.postings.data = append(append(l.postings.data, asVarints), list.varints...)
		} else {
			docs := newSet(n)
			addPosting(docs, n, append([]byte{asVarints}, list.varints...))
			l.postings.data = append(l.postings.data, asSet)
			for _, word := range docs {
				l.postings.data = order.AppendUint64(l.postings.data, word)
			}
		}
		l.postings.endString()
	}
	return l
}

// maxWordBytes bounds a term: what exceeds it is cut off, of words of queries too.
const maxWordBytes = 40

// splitTerms returns the words of a text as terms have them.
func splitTerms(s string) []string {
	words := text.Words(s)
	for i, word := range words {
		words[i] = truncate(word, maxWordBytes)
	}
	return words
}

func pairTerms(words []string) (pairs []string) {
	for i := 1; i < len(words); i++ {
		pairs = append(pairs, joinPair(words[i-1], words[i]))
	}
	return pairs
}

// truncate shortens s to at most n bytes, between characters.
func truncate[T string | []byte](s T, n int) T {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// joinPair returns the term of two neighbouring words.
func joinPair(first, second string) string { return truncate(first+" "+second, maxWordBytes) }
