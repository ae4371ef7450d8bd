package crm

import (
	"cmp"
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
	ranks         []int64
	ids           []string
	status        []uint32
	// tokens are the numbers of a row's words, first of its name and then of its other
	// fields, and tags those of its tags: concatenated over all rows, with the end of each.
	tokens, tags            []uint32
	nameEnds, ends, tagEnds []uint32
}

// packRows returns a base of rows.
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
		b.ranks = append(b.ranks, int64(r.listRank()))
		b.ids = append(b.ids, r.ID)
		b.status = append(b.status, labels[r.Status])
		b.tokens = append(b.tokens, sortedNumbers(words, split[i].name)...)
		b.nameEnds = append(b.nameEnds, uint32(len(b.tokens)))
		b.tokens = append(b.tokens, sortedNumbers(words, split[i].rest)...)
		b.ends = append(b.ends, uint32(len(b.tokens)))
		b.tags = append(b.tags, sortedNumbers(labels, r.Tags)...)
		b.tagEnds = append(b.tagEnds, uint32(len(b.tags)))
	}
	return b
}

// collectWords adds words to a set and returns them.
func collectWords(in map[string]uint32, words []string) []string {
	for _, w := range words {
		in[w] = 0
	}
	return words
}

// numberInOrder sorts the words of a set, sets their numbers and returns them.
func numberInOrder(in map[string]uint32) []string {
	all := make([]string, 0, len(in))
	for w := range in {
		all = append(all, w)
	}
	slices.Sort(all)
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

// rowSpan returns a row's part of a concatenated list.
func rowSpan(all, ends []uint32, row int) []uint32 {
	if row == 0 {
		return all[:ends[0]]
	}
	return all[ends[row-1]:ends[row]]
}

// memorySize returns about how many bytes of memory the base takes.
func (b *base) memorySize() int {
	n := 64*len(b.ids) + 4*(len(b.tokens)+len(b.tags))
	for _, w := range b.words {
		n += 16 + len(w)
	}
	for _, id := range b.ids {
		n += len(id)
	}
	return n
}
