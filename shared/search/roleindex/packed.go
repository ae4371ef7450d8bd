package roleindex

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math/bits"
	"sort"
)

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

// isAscending reports whether the strings are sorted, each once.
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

// hasStringOf reports whether one of the strings in [low, high) has at least size bytes.
func (p packed) hasStringOf(size, low, high int) bool {
	for low < high && p.offsets.u32(low+1)-p.offsets.u32(low) < size {
		low++
	}
	return low < high
}

// set is a set of ordinals, one bit each.
type set []uint64

func newSet(n int) set { return make(set, wordCount(n)) }

// wordCount returns how many words hold n bits.
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
