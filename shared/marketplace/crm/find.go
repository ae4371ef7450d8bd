package crm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

// encodedFilter is a matcher with a base's numbers in place of words.
type encodedFilter struct {
	// words are, for each word of the query, the half-open range of the numbers of the
	// words that begin with it.
	words          [][2]uint32
	statuses, tags []uint32
}

// encodeFilter translates a matcher. none reports that no row of the base can pass.
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
	t.statuses = b.labelNumbers(m.Statuses)
	t.tags = b.labelNumbers(m.Tags)
	return t, len(m.Statuses) > 0 && len(t.statuses) == 0 || len(m.Tags) > 0 && len(t.tags) == 0
}

// labelNumbers returns the numbers of those of the labels that occur.
func (b *base) labelNumbers(names []string) (all []uint32) {
	for _, name := range names {
		if i, there := slices.BinarySearch(b.labels, name); there {
			all = append(all, uint32(i))
		}
	}
	return all
}

// classifyRow is [matcher.classifyRow] for a row of the base.
func (b *base) classifyRow(row int, t encodedFilter) hitKind {
	name, rest, tags := b.numbersOf(row)
	switch {
	case len(t.statuses) > 0 && !slices.Contains(t.statuses, b.rows[row].status):
		return noHit
	case len(t.tags) > 0 && !slices.ContainsFunc(tags, func(n uint32) bool { return slices.Contains(t.tags, n) }):
		return noHit
	}
	how := nameHit
	for _, w := range t.words {
		switch {
		case containsInRange(name, w):
		case containsInRange(rest, w):
			how = otherHit
		default:
			return noHit
		}
	}
	return how
}

func containsInRange(numbers []uint32, r [2]uint32) bool {
	i, _ := slices.BinarySearch(numbers, r[0])
	return i < len(numbers) && numbers[i] < r[1]
}

// findRows returns the first rows after a position that pass, without those of skip: as
// many as a page holds, or all.
func (b *base) findRows(m matcher, after int64, limit int, skip map[string]Row) paging.Part[positionedRow] {
	t, none := b.encodeFilter(m)
	if none {
		return paging.Part[positionedRow]{}
	}
	c := collector{after: after, limit: limit}
	first := 0
	if after >= otherHitOffset {
		compareRank := func(r packedRow, rank int64) int { return cmp.Compare(r.rank, rank) }
		first, _ = slices.BinarySearchFunc(b.rows, after-otherHitOffset+1, compareRank)
	}
	for i := first; i < len(b.rows) && !c.isFull(); i++ {
		row := b.rows[i]
		how := b.classifyRow(i, t)
		if _, old := skip[row.id]; how != noHit && !old {
			c.add(Row{ID: row.id}, row.rank, how)
		}
	}
	return c.collected()
}

func comparePositions(a, b positionedRow) int { return cmp.Compare(a.position, b.position) }
