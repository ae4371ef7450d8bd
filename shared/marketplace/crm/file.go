package crm

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"time"
)

// The file of a base, in the order of its fields. Numbers are varints; ascending ones are
// stored as differences:
//
//	magic, CRC-32C of the rest
//	until           when its rows were read, in milliseconds since 1970
//	words, labels   how many, and each with its length
//	rows            how many, and of each: rank, id, status, tags, words of the name, other words

const (
	magic  = "RMBOOK1\n"
	crcEnd = len(magic) + 4
	// maxFile bounds a file, in bytes: some 2,000,000 candidates.
	maxFile = 256 << 20
)

// checksum returns the Castagnoli checksum. A table in a package variable would make every start of a function slower.
func checksum(of []byte) uint32 { return crc32.Checksum(of, crc32.MakeTable(crc32.Castagnoli)) }

// errCorruptFile reports a file that is damaged or of another version.
var errCorruptFile = errors.New("the CRM index file is corrupt")

func (b *base) encodeFile(until time.Time) []byte {
	out := binary.AppendVarint(make([]byte, crcEnd, crcEnd+64*len(b.rows)), until.UnixMilli())
	for _, list := range [][]string{b.words, b.labels} {
		out = binary.AppendUvarint(out, uint64(len(list)))
		for _, w := range list {
			out = appendText(out, w)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(b.rows)))
	var rank int64
	for i, r := range b.rows {
		out = appendText(binary.AppendVarint(out, r.rank-rank), r.id)
		rank = r.rank
		out = binary.AppendUvarint(out, uint64(r.status))
		name, rest, tags := b.numbersOf(i)
		for _, numbers := range [][]uint32{tags, name, rest} {
			out = appendAscending(out, numbers)
		}
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

// decodeFile decodes a file. Whatever it contains, every number of the base is within its list.
func decodeFile(file []byte) (b *base, until time.Time, err error) {
	if len(file) < crcEnd || string(file[:len(magic)]) != magic ||
		binary.LittleEndian.Uint32(file[len(magic):]) != checksum(file[crcEnd:]) {
		return nil, until, errCorruptFile
	}
	r := &fileReader{rest: file[crcEnd:], text: string(file[crcEnd:])}
	until = time.UnixMilli(r.readVarint())
	b = &base{words: r.readTexts(), labels: r.readTexts()}
	b.rows = make([]packedRow, r.readCount())
	b.tokens = make([]uint32, 0, len(r.rest)/3)
	var rank int64
	for i := range b.rows {
		rank += r.readVarint()
		row := &b.rows[i]
		row.rank = rank
		row.id = r.readText()
		row.status = r.readNumberBelow(len(b.labels))
		b.tags = r.readAscending(b.tags, len(b.labels))
		row.tagEnd = uint32(len(b.tags))
		b.tokens = r.readAscending(b.tokens, len(b.words))
		row.nameEnd = uint32(len(b.tokens))
		b.tokens = r.readAscending(b.tokens, len(b.words))
		row.end = uint32(len(b.tokens))
	}
	isSorted := slices.IsSortedFunc(b.rows, func(a, b packedRow) int { return cmp.Compare(a.rank, b.rank) }) && slices.IsSorted(b.words)
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
}

func (r *fileReader) breakOff() { *r = fileReader{broken: true} }

func (r *fileReader) readUvarint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.breakOff()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *fileReader) readVarint() int64 {
	n := r.readUvarint()
	return int64(n>>1) ^ -int64(n&1)
}

// readCount reads how many elements follow, each of at least one byte.
func (r *fileReader) readCount() int {
	n := r.readUvarint()
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

func (r *fileReader) readTexts() []string {
	all := make([]string, r.readCount())
	for i := range all {
		all[i] = r.readText()
	}
	return all
}

// readNumberBelow reads the number of an element in a list of n.
func (r *fileReader) readNumberBelow(n int) uint32 {
	v := r.readUvarint()
	if v >= uint64(n) {
		r.breakOff()
		return 0
	}
	return uint32(v)
}

// readAscending appends the ascending numbers of elements in a list of n to to.
func (r *fileReader) readAscending(to []uint32, n int) []uint32 {
	var last uint64
	for range r.readCount() {
		last += r.readUvarint()
		if last >= uint64(n) {
			r.breakOff()
			return to
		}
		to = append(to, uint32(last))
	}
	return to
}
