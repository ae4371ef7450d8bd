package roleindex

import (
	"encoding/binary"
	"slices"
	"strings"
)

// lexicon is a sorted list of terms with the documents that have them.
type lexicon struct {
	terms    termList
	postings packed
}

// isConsistent reports whether the terms are sorted and each has a posting.
func (l lexicon) isConsistent() bool {
	isReadable := l.terms.hasValidOffsets() && l.postings.hasValidOffsets()
	return isReadable && l.terms.len() == l.postings.len() && l.terms.isAscending()
}

// A posting is one byte for its form and then either the ordinals' differences
// as varints, or a set of all ordinals, whichever is shorter.
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

// addPosting adds the documents of a posting, which it does not trust: what is no
// ordinal of this index is skipped.
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
	ids   map[string]int
	terms []string
	lists []postingList
}

type postingList struct {
	varints []byte
	next    int // the smallest ordinal that may follow
}

func newLexiconWriter() *lexiconWriter { return &lexiconWriter{ids: map[string]int{}} }

func (w *lexiconWriter) add(term []byte, ordinal int) { w.lists[w.number(term)].add(ordinal) }

// addAll adds a document to the lists of terms.
func (w *lexiconWriter) addAll(terms []int, ordinal int) {
	for _, number := range terms {
		w.lists[number].add(ordinal)
	}
}

// addTerm adds a term that the lexicon does not have yet, with its documents, if there are any.
func (w *lexiconWriter) addTerm(term []byte, docs set) {
	var list postingList
	for ordinal := range docs.membersFrom(0) {
		list.add(ordinal)
	}
	if list.next == 0 {
		return
	}
	w.terms = append(w.terms, string(term))
	w.lists = append(w.lists, list)
}

// number returns the number of a term, which is that of its list of documents.
func (w *lexiconWriter) number(term []byte) int {
	id, ok := w.ids[string(term)]
	if !ok {
		id = len(w.terms)
		w.terms = append(w.terms, string(term))
		w.lists = append(w.lists, postingList{})
		w.ids[w.terms[id]] = id
	}
	return id
}

// add ignores a document that the list has already.
func (l *postingList) add(ordinal int) {
	if ordinal >= l.next {
		l.varints = binary.AppendUvarint(l.varints, uint64(ordinal-l.next))
		l.next = ordinal + 1
	}
}

// encodeSections returns the sorted terms and their postings; n is the number of
// documents.
func (w *lexiconWriter) encodeSections(n int) [][]byte {
	ids := make([]int, len(w.terms))
	for i := range ids {
		ids[i] = i
	}
	slices.SortFunc(ids, func(a, b int) int { return strings.Compare(w.terms[a], w.terms[b]) })
	terms := newPackedWriter()
	postings := newPackedWriter()
	for _, id := range ids {
		terms.add(w.terms[id])
		postings.data = w.lists[id].appendTo(postings.data, n)
		postings.endString()
	}
	return [][]byte{terms.offsets, terms.data, postings.offsets, postings.data}
}

func (l *postingList) appendTo(dst []byte, n int) []byte {
	if len(l.varints) <= 8*wordCount(n) {
		return append(append(dst, asVarints), l.varints...)
	}
	s := newSet(n)
	addPosting(s, n, append([]byte{asVarints}, l.varints...))
	dst = append(dst, asSet)
	for _, w := range s {
		dst = order.AppendUint64(dst, w)
	}
	return dst
}
