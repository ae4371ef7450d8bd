package roleindex

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

type lexicon struct {
	terms    termList
	postings packed
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
	l := lexicon{termList{packed: newPacked()}, newPacked()}
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

func joinPair(first, second string) string { return truncate(first+" "+second, maxWordBytes) }

var order = binary.LittleEndian

// column is an array of unsigned numbers of one width, read in place.
type column []byte

func (c column) u16(i int) int    { return int(order.Uint16(c[2*i:])) }
func (c column) u32(i int) int    { return int(order.Uint32(c[4*i:])) }
func (c column) u64(i int) uint64 { return order.Uint64(c[8*i:]) }

// Facets is a list of facet numbers, read in place.
type Facets []byte

// Len returns the length of the list.
func (f Facets) Len() int { return len(f) / 2 }

// At returns the i-th number.
func (f Facets) At(i int) int { return column(f).u16(i) }

// packed is a list of byte strings: n+1 offsets and the bytes.
type packed struct{ offsets, data column }

func newPacked() packed { return packed{offsets: order.AppendUint32(nil, 0)} }

func (p packed) len() int        { return len(p.offsets)/4 - 1 }
func (p packed) at(i int) []byte { return p.data[p.offsets.u32(i):p.offsets.u32(i+1)] }

// holds reports whether there are n strings and every offset is within the data. n is negative for a list without offsets,
// which holds nothing.
func (p packed) holds(n int) bool {
	if n < 0 || len(p.offsets) != 4*(n+1) || p.offsets.u32(0) != 0 || p.offsets.u32(n) != len(p.data) {
		return false
	}
	for i := range n {
		if p.offsets.u32(i) > p.offsets.u32(i+1) {
			return false
		}
	}
	return true
}

// endString ends the string that was appended to data.
func (p *packed) endString() { p.offsets = order.AppendUint32(p.offsets, uint32(len(p.data))) }

func (p *packed) add(s string) {
	p.data = append(p.data, s...)
	p.endString()
}

func (p packed) isAscending() bool {
	for i := 1; i < p.len(); i++ {
		if bytes.Compare(p.at(i-1), p.at(i)) >= 0 {
			return false
		}
	}
	return true
}

// find returns the position at which s is, or would be inserted, in sorted strings.
func (p packed) find(s string) (at int, found bool) {
	at = sort.Search(p.len(), func(i int) bool { return string(p.at(i)) >= s })
	return at, at < p.len() && string(p.at(at)) == s
}

// rangeOf returns the range of sorted strings that equal s or, if prefix is set, begin with it.
func (p packed) rangeOf(s string, prefix bool) (low, high int) {
	low, found := p.find(s)
	switch {
	case prefix:
		return low, low + sort.Search(p.len()-low, func(i int) bool { return !bytes.HasPrefix(p.at(low+i), []byte(s)) })
	case found:
		return low, low + 1
	}
	return low, low
}

// blockTerms is the number of terms in a block of a termList.
const blockTerms = 16

type termList struct {
	packed
	// longest holds the length in bytes of the longest term of each whole block. It may end early.
	longest []uint8
}

// newTermList returns a list of terms of at most maxWordBytes bytes.
func newTermList(terms packed) termList {
	list := termList{packed: terms, longest: make([]uint8, terms.len()/blockTerms)}
	for i := range list.longest {
		for term := i * blockTerms; term < (i+1)*blockTerms; term++ {
			list.longest[i] = max(list.longest[i], uint8(len(terms.at(term))))
		}
	}
	return list
}

// hasTermOf reports whether one of the terms in [low, high) has at least size bytes.
func (t termList) hasTermOf(size, low, high int) bool {
	for low < high {
		block := low / blockTerms
		if low%blockTerms == 0 && low+blockTerms <= high && block < len(t.longest) {
			if int(t.longest[block]) >= size {
				return true
			}
			low += blockTerms
			continue
		}
		if len(t.at(low)) >= size {
			return true
		}
		low++
	}
	return false
}

// set is a set of ordinals, one bit each.
type set []uint64

func newSet(n int) set { return make(set, wordCount(n)) }

func wordCount(n int) int { return (n + 63) / 64 }

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int)   { s[i/64] &^= 1 << (i % 64) }
func (s set) has(i int) bool { return s.bit(i) == 1 }

func (s set) and(other set) {
	for i, w := range other[:len(s)] {
		s[i] &= w
	}
}

func (s set) andNot(other set) {
	for i, w := range other[:len(s)] {
		s[i] &^= w
	}
}

func (s set) or(other set) {
	for i, w := range other[:len(s)] {
		s[i] |= w
	}
}

// bit returns 1 for a member and 0 for any other ordinal.
func (s set) bit(i int) int { return int(s[i/64] >> (i % 64) & 1) }

// meets returns 1 if the sets have a common member, else 0.
func (s set) meets(other set) int {
	for i, w := range other[:len(s)] {
		if s[i]&w != 0 {
			return 1
		}
	}
	return 0
}

func (s set) empty() bool { return s.meets(s) == 0 }

func (s set) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// membersFrom yields the members that are at least start, in order.
func (s set) membersFrom(start int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := start / 64; i < len(s); i++ {
			w := s[i]
			if i == start/64 {
				w &= ^uint64(0) << (start % 64)
			}
			for ; w != 0; w &= w - 1 {
				if !yield(i*64 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
