package roleindex

import (
	"bytes"
	"encoding/binary"
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
