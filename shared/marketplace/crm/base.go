package crm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

// base is what a search needs of many rows, packed, newest first. It is immutable.
//
// All words are kept in one sorted list, and rows hold their numbers in it. The words that
// begin with a prefix are thus a range of numbers, and each text is compared once. Statuses and
// tags are words, too ([labelWords]).
type base struct {
	// words are all words that occur, sorted.
	words []string
	rows  []packedRow
}

// packedRow is a row with the numbers of its words, sorted: of those of its name, its status and its tags, and of the rest.
type packedRow struct {
	id         string
	rank       int64
	name, rest []uint32
}

func packRows(all []Row) *base {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Row) int { return cmp.Or(cmp.Compare(a.listRank(), b.listRank()), cmp.Compare(a.ID, b.ID)) })
	numbers := map[string]uint32{}
	split := make([][2][]string, len(all))
	for i, r := range all {
		name, rest := r.foldWords()
		labels := append(labelWords(statusMark, r.Status), labelWords(tagMark, r.Tags...)...)
		split[i] = [2][]string{append(strings.Fields(name), labels...), strings.Fields(rest)}
		for _, words := range split[i] {
			for _, w := range words {
				numbers[w] = 0
			}
		}
	}
	b := &base{words: slices.Sorted(maps.Keys(numbers))}
	for i, w := range b.words {
		numbers[w] = uint32(i)
	}
	for i, r := range all {
		row := packedRow{r.ID, int64(r.listRank()), sortedNumbers(numbers, split[i][0]), sortedNumbers(numbers, split[i][1])}
		b.rows = append(b.rows, row)
	}
	return b
}

const (
	statusMark = "@"
	tagMark    = "#"
)

// labelWords returns labels as words: quoted, so that none begins with another, behind a mark that begins no word of a query.
func labelWords(mark string, labels ...string) (words []string) {
	for _, label := range labels {
		words = append(words, mark+strconv.Quote(label))
	}
	return words
}

func sortedNumbers(of map[string]uint32, words []string) []uint32 {
	all := make([]uint32, len(words))
	for i, w := range words {
		all[i] = of[w]
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// memorySize returns about how many bytes of memory the base takes.
func (b *base) memorySize() int {
	n := 72*len(b.rows) + 4*b.countNumbers()
	for _, w := range b.words {
		n += 16 + len(w)
	}
	for _, r := range b.rows {
		n += len(r.id)
	}
	return n
}

func (b *base) countNumbers() (n int) {
	for _, r := range b.rows {
		n += len(r.name) + len(r.rest)
	}
	return n
}

// wordRange is a half-open range of the numbers of words.
type wordRange struct{ from, to uint32 }

// condition is what a row must have: a word in one of the ranges, which are sorted. Labels are beside the name only.
type condition struct {
	ranges  []wordRange
	isLabel bool
}

// rangesOf returns the numbers of the words that begin with the prefixes.
func (b *base) rangesOf(prefixes []string) (all []wordRange) {
	for _, prefix := range prefixes {
		from, _ := slices.BinarySearch(b.words, prefix)
		to, _ := slices.BinarySearch(b.words, prefix+"\xff") // no byte of UTF-8
		if from < to {
			all = append(all, wordRange{uint32(from), uint32(to)})
		}
	}
	return all
}

// classify is [matcher.classifyRow] for a row of the base, by the conditions of the matcher.
func (r *packedRow) classify(conditions []condition) hitKind {
	how := nameHit
	for _, c := range conditions {
		switch {
		case containsAny(r.name, c.ranges):
		case !c.isLabel && containsAny(r.rest, c.ranges):
			how = otherHit
		default:
			return noHit
		}
	}
	return how
}

// containsAny reports whether one of the sorted numbers is in one of the sorted ranges. It looks for those that are fewer.
func containsAny(numbers []uint32, ranges []wordRange) bool {
	if len(ranges) > len(numbers) {
		return slices.ContainsFunc(numbers, func(n uint32) bool {
			after, _ := slices.BinarySearchFunc(ranges, n+1, func(r wordRange, n uint32) int { return cmp.Compare(r.from, n) })
			return after > 0 && n < ranges[after-1].to
		})
	}
	for _, r := range ranges {
		i, _ := slices.BinarySearch(numbers, r.from)
		if i < len(numbers) && numbers[i] < r.to {
			return true
		}
	}
	return false
}

// findRows returns the first rows after a position that pass, without those of skip: a page of them, or all.
func (b *base) findRows(m matcher, after int64, limit int, skip map[string]Row) paging.Part[positionedRow] {
	var conditions []condition
	for _, labels := range [][]string{labelWords(statusMark, m.Statuses...), labelWords(tagMark, m.Tags...)} {
		if len(labels) > 0 {
			slices.Sort(labels)
			conditions = append(conditions, condition{b.rangesOf(labels), true})
		}
	}
	for _, word := range m.words {
		conditions = append(conditions, condition{b.rangesOf([]string{word}), false})
	}
	if slices.ContainsFunc(conditions, func(c condition) bool { return len(c.ranges) == 0 }) {
		return paging.Part[positionedRow]{} // no row can pass
	}
	c := collector{after: after, limit: limit}
	compareRank := func(r packedRow, rank int64) int { return cmp.Compare(r.rank, rank) }
	first, _ := slices.BinarySearchFunc(b.rows, m.scanStart(after)+1, compareRank)
	for i := first; i < len(b.rows) && !c.isFull(); i++ {
		row := &b.rows[i]
		how := row.classify(conditions)
		if _, old := skip[row.id]; how != noHit && !old {
			c.add(Row{ID: row.id}, row.rank, how)
		}
	}
	return c.collected()
}

func comparePositions(a, b positionedRow) int { return cmp.Compare(a.position, b.position) }

// The file of a base, in the order of its fields. Numbers are varints, and texts have their lengths before them; ascending
// numbers are stored as differences:
//
//	magic, CRC-32C of the rest
//	until   when its rows were read, in milliseconds since 1970
//	words   how many, and each
//	count   of the numbers of words that all rows have
//	rows    how many, and of each: rank, id, numbers of the words of the name with the labels, of other words

const (
	magic  = "RMBOOK3\n"
	crcEnd = len(magic) + 4
	// maxFile bounds a file, in bytes: some 2,000,000 candidates.
	maxFile = 256 << 20
)

// checksum returns the Castagnoli checksum. A table in a package variable would make every start of a function slower.
func checksum(of []byte) uint32 { return crc32.Checksum(of, crc32.MakeTable(crc32.Castagnoli)) }

// errCorruptFile reports a file that is damaged or of another version.
var errCorruptFile = errors.New("the CRM index file is corrupt")

func (b *base) encodeFile(until time.Time) []byte {
	out := binary.AppendUvarint(make([]byte, crcEnd, crcEnd+64*len(b.rows)), uint64(until.UnixMilli()))
	out = binary.AppendUvarint(out, uint64(len(b.words)))
	for _, w := range b.words {
		out = appendText(out, w)
	}
	out = binary.AppendUvarint(out, uint64(b.countNumbers()))
	out = binary.AppendUvarint(out, uint64(len(b.rows)))
	var rank int64
	for _, r := range b.rows {
		out = binary.AppendUvarint(out, uint64(r.rank-rank))
		rank = r.rank
		out = appendAscending(appendAscending(appendText(out, r.id), r.name), r.rest)
	}
	copy(out, magic)
	binary.LittleEndian.PutUint32(out[len(magic):], checksum(out[crcEnd:]))
	return out
}

func appendText(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

func appendAscending(out []byte, list []uint32) []byte {
	out = binary.AppendUvarint(out, uint64(len(list)))
	var last uint32
	for _, n := range list {
		out = binary.AppendUvarint(out, uint64(n-last))
		last = n
	}
	return out
}

// decodeFile decodes a file. Whatever it contains, the base can be searched.
func decodeFile(file []byte) (b *base, until time.Time, err error) {
	if len(file) < crcEnd || string(file[:len(magic)]) != magic ||
		binary.LittleEndian.Uint32(file[len(magic):]) != checksum(file[crcEnd:]) {
		return nil, until, errCorruptFile
	}
	r := &fileReader{rest: file[crcEnd:], text: string(file[crcEnd:])}
	until = time.UnixMilli(int64(r.readNumber()))
	b = &base{words: make([]string, r.readCount())}
	for i := range b.words {
		b.words[i] = r.readText()
	}
	r.numbers = make([]uint32, 0, r.readCount())
	b.rows = make([]packedRow, r.readCount())
	isSorted := slices.IsSorted(b.words)
	var rank int64
	for i := range b.rows {
		last := rank
		rank += int64(r.readNumber())
		isSorted = isSorted && last <= rank
		b.rows[i] = packedRow{rank: rank, id: r.readText(), name: r.readAscending(), rest: r.readAscending()}
	}
	if r.broken || len(r.rest) > 0 || !isSorted {
		return nil, until, errCorruptFile
	}
	return b, until, nil
}

// fileReader reads the fields of a file. After its end and after an invalid field it is broken and returns zeros.
type fileReader struct {
	rest []byte
	// text is the whole file, of which the texts are parts.
	text   string
	broken bool
	// numbers has all numbers that were read, in one array made for them: an array for each row would take longer.
	numbers []uint32
}

func (r *fileReader) breakOff() {
	r.rest = nil
	r.broken = true
}

func (r *fileReader) readNumber() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.breakOff()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// readCount reads how many elements follow, each of at least one byte.
func (r *fileReader) readCount() int {
	n := r.readNumber()
	if n > uint64(len(r.rest)) {
		r.breakOff()
		return 0
	}
	return int(n)
}

func (r *fileReader) readText() string {
	n := r.readCount()
	start := len(r.text) - len(r.rest)
	r.rest = r.rest[n:]
	return r.text[start : start+n]
}

func (r *fileReader) readAscending() []uint32 {
	from := len(r.numbers)
	var last uint64
	for range r.readCount() {
		last += r.readNumber()
		r.numbers = append(r.numbers, uint32(last))
	}
	return r.numbers[from:]
}
