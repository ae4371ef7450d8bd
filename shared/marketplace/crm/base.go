package crm

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// base is what a search needs of many rows, packed, newest first. It is immutable.
//
// All words are kept in one sorted list, and rows hold their numbers in it. The words that
// begin with a prefix are thus a range of numbers, and each text is compared once.
type base struct {
	// words are all words that occur, sorted; labels are the tags and statuses, sorted.
	words, labels []string
	rows          []packedRow
	// tokens are the numbers of all rows' words, of each row those of its name first; tags are those of their tags.
	tokens, tags []uint32
}

// packedRow is a row, with the ends of its parts of the base's tokens and tags.
type packedRow struct {
	id                           string
	rank                         int64
	status, nameEnd, end, tagEnd uint32
}

func packRows(all []Row) *base {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Row) int { return cmp.Or(cmp.Compare(a.listRank(), b.listRank()), cmp.Compare(a.ID, b.ID)) })
	words := map[string]uint32{}
	labels := map[string]uint32{}
	type rowWords struct{ name, rest []string }
	split := make([]rowWords, len(all))
	for i, r := range all {
		split[i].name = collectWords(words, text.Words(r.Name))
		for _, field := range r.otherFields() {
			split[i].rest = append(split[i].rest, collectWords(words, text.Words(field))...)
		}
		collectWords(labels, append(r.Tags, r.Status))
	}
	b := &base{words: numberInOrder(words), labels: numberInOrder(labels)}
	for i, r := range all {
		row := packedRow{id: r.ID, rank: int64(r.listRank()), status: labels[r.Status]}
		b.tokens = append(b.tokens, sortedNumbers(words, split[i].name)...)
		row.nameEnd = uint32(len(b.tokens))
		b.tokens = append(b.tokens, sortedNumbers(words, split[i].rest)...)
		row.end = uint32(len(b.tokens))
		b.tags = append(b.tags, sortedNumbers(labels, r.Tags)...)
		row.tagEnd = uint32(len(b.tags))
		b.rows = append(b.rows, row)
	}
	return b
}

func collectWords(in map[string]uint32, words []string) []string {
	for _, w := range words {
		in[w] = 0
	}
	return words
}

// numberInOrder sorts the words of a set, sets their numbers and returns them.
func numberInOrder(in map[string]uint32) []string {
	all := slices.Sorted(maps.Keys(in))
	for i, w := range all {
		in[w] = uint32(i)
	}
	return all
}

// sortedNumbers returns the numbers of words, each once, sorted.
func sortedNumbers(of map[string]uint32, words []string) []uint32 {
	all := make([]uint32, len(words))
	for i, w := range words {
		all[i] = of[w]
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// numbersOf returns the numbers of the words of a row's name, of its other words and of its tags.
func (b *base) numbersOf(row int) (name, rest, tags []uint32) {
	var before packedRow
	if row > 0 {
		before = b.rows[row-1]
	}
	r := &b.rows[row]
	return b.tokens[before.end:r.nameEnd], b.tokens[r.nameEnd:r.end], b.tags[before.tagEnd:r.tagEnd]
}

// memorySize returns about how many bytes of memory the base takes.
func (b *base) memorySize() int {
	n := 64*len(b.rows) + 4*(len(b.tokens)+len(b.tags))
	for _, w := range b.words {
		n += 16 + len(w)
	}
	for _, r := range b.rows {
		n += len(r.id)
	}
	return n
}

// encodedFilter is a matcher with a base's numbers in place of words.
type encodedFilter struct {
	// words are, for each word of the query, the half-open range of the numbers of words that begin with it.
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

// findRows returns the first rows after a position that pass, without those of skip: a page of them, or all.
func (b *base) findRows(m matcher, after int64, limit int, skip map[string]Row) paging.Part[positionedRow] {
	t, none := b.encodeFilter(m)
	if none {
		return paging.Part[positionedRow]{}
	}
	c := collector{after: after, limit: limit}
	compareRank := func(r packedRow, rank int64) int { return cmp.Compare(r.rank, rank) }
	first, _ := slices.BinarySearchFunc(b.rows, m.scanStart(after)+1, compareRank)
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
