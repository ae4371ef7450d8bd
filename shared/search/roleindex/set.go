package roleindex

import (
	"iter"
	"math/bits"
)

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
