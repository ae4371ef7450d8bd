package crm

import (
	"cmp"
	"slices"
	"strings"
)

// encodedFilter is a matcher in a base's numbers.
type encodedFilter struct {
	// words are ranges of numbers: those that begin with a word, from one up to
	// before another.
	words          [][2]uint32
	statuses, tags []uint32
}

// encodeFilter translates a matcher; none tells that no row of the base can pass.
func (b *base) encodeFilter(m matcher) (t encodedFilter, none bool) {
	for _, word := range m.words {
		from, _ := slices.BinarySearch(b.words, word)
		n, _ := slices.BinarySearchFunc(b.words[from:], word, func(w, word string) int {
			if strings.HasPrefix(w, word) {
				return -1
			}
			return 1
		})
		if n == 0 {
			return t, true
		}
		t.words = append(t.words, [2]uint32{uint32(from), uint32(from + n)})
	}
	t.statuses, t.tags = b.labelNumbers(m.Statuses), b.labelNumbers(m.Tags)
	return t, len(m.Statuses) > 0 && len(t.statuses) == 0 || len(m.Tags) > 0 && len(t.tags) == 0
}

// labelNumbers are the numbers of those labels that occur.
func (b *base) labelNumbers(names []string) (all []uint32) {
	for _, name := range names {
		if i, there := slices.BinarySearch(b.labels, name); there {
			all = append(all, uint32(i))
		}
	}
	return all
}

// classifyRow is matcher.look for a row of the base.
func (b *base) classifyRow(row int, t encodedFilter) hitKind {
	switch {
	case len(t.statuses) > 0 && !slices.Contains(t.statuses, b.status[row]):
		return noHit
	case len(t.tags) > 0 && !slices.ContainsFunc(rowSpan(b.tags, b.tagEnds, row), func(n uint32) bool { return slices.Contains(t.tags, n) }):
		return noHit
	}
	all, name := rowSpan(b.tokens, b.ends, row), b.nameTokens(row)
	rest, how := all[len(name):], nameHit
	for _, w := range t.words {
		if !containsInRange(name, w) {
			if how = otherHit; !containsInRange(rest, w) {
				return noHit
			}
		}
	}
	return how
}

// containsInRange tells whether one of some numbers, which are in order, is in a range.
func containsInRange(numbers []uint32, r [2]uint32) bool {
	i, _ := slices.BinarySearch(numbers, r[0])
	return i < len(numbers) && numbers[i] < r[1]
}

// findRows lists the first rows behind a position that pass, other than those of
// skip: what a page holds, or all. more tells that there are others.
func (b *base) findRows(m matcher, after int64, limit int, skip map[string]Row) (list positionedRows, more bool) {
	t, none := b.encodeFilter(m)
	if none {
		return nil, false
	}
	named, others := collector{limit: limit}, collector{limit: limit}
	first := 0
	if after >= otherHitOffset {
		first, _ = slices.BinarySearch(b.places, after-otherHitOffset+1)
	}
	for row := first; row < len(b.ids) && !named.full && (after < otherHitOffset || !others.full); row++ {
		how, at, to := b.classifyRow(row, t), b.places[row], &named
		if how == otherHit {
			at, to = at+otherHitOffset, &others
		}
		if _, old := skip[b.ids[row]]; how != noHit && !old {
			to.addAfter(after, positionedRow{Row{ID: b.ids[row]}, at})
		}
	}
	return joinGroups(named, others)
}

// mergeRows brings lists together whose spots are in order.
func mergeRows(limit int, lists ...positionedRows) collector {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b positionedRow) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
	})
	c := collector{limit: limit}
	for _, one := range all {
		c.addAfter(0, one)
	}
	return c
}
