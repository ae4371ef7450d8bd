package crm

import (
	"cmp"
	"maps"
	"slices"

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
	// tokens are the numbers of all rows' words, of each row first those of its name and then
	// those of its other fields; tags are the numbers of their tags.
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
