package crm

import (
	"cmp"
	"slices"
	"strings"
)

// terms is a matcher in a base's numbers.
type terms struct {
	// words are ranges of numbers: those that begin with a word, from one up to
	// before another.
	words          [][2]uint32
	statuses, tags []uint32
}

// terms translates a matcher; none tells that no row of the base can pass.
func (b *base) terms(m matcher) (t terms, none bool) {
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
	t.statuses, t.tags = b.labelled(m.Statuses), b.labelled(m.Tags)
	return t, len(m.Statuses) > 0 && len(t.statuses) == 0 || len(m.Tags) > 0 && len(t.tags) == 0
}

// labelled are the numbers of those labels that occur.
func (b *base) labelled(names []string) (all []uint32) {
	for _, name := range names {
		if i, there := slices.BinarySearch(b.labels, name); there {
			all = append(all, uint32(i))
		}
	}
	return all
}

// look is matcher.look for a row of the base.
func (b *base) look(row int, t terms) found {
	switch {
	case len(t.statuses) > 0 && !slices.Contains(t.statuses, b.status[row]):
		return unfit
	case len(t.tags) > 0 && !slices.ContainsFunc(span(b.tags, b.tagEnds, row), func(n uint32) bool { return slices.Contains(t.tags, n) }):
		return unfit
	}
	all, name := span(b.tokens, b.ends, row), b.name(row)
	rest, how := all[len(name):], byName
	for _, w := range t.words {
		if !within(name, w) {
			if how = elsewhere; !within(rest, w) {
				return unfit
			}
		}
	}
	return how
}

// within tells whether one of some numbers, which are in order, is in a range.
func within(numbers []uint32, r [2]uint32) bool {
	i, _ := slices.BinarySearch(numbers, r[0])
	return i < len(numbers) && numbers[i] < r[1]
}

// find lists the first rows behind a position that pass, other than those of
// skip: what a page holds, or all. more tells that there are others.
func (b *base) find(m matcher, after int64, limit int, skip map[string]Row) (list placed, more bool) {
	t, none := b.terms(m)
	if none {
		return nil, false
	}
	named, others := collector{limit: limit}, collector{limit: limit}
	first := 0
	if after >= behind {
		first, _ = slices.BinarySearch(b.places, after-behind+1)
	}
	for row := first; row < len(b.ids) && !named.full && (after < behind || !others.full); row++ {
		how, at, to := b.look(row, t), b.places[row], &named
		if how == elsewhere {
			at, to = at+behind, &others
		}
		if _, old := skip[b.ids[row]]; how != unfit && !old {
			to.addAfter(after, spot{Row{ID: b.ids[row]}, at})
		}
	}
	return joinGroups(named, others)
}

// merge brings lists together whose spots are in order.
func merge(limit int, lists ...placed) collector {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b spot) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.ID, b.ID)) })
	c := collector{limit: limit}
	for _, one := range all {
		c.addAfter(0, one)
	}
	return c
}
