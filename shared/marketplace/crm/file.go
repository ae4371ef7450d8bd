package crm

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"time"
)

// The file of a base, in the order of its fields. Numbers are varints, and texts have their lengths before them; ascending
// numbers are stored as differences:
//
//	magic, CRC-32C of the rest
//	until   when its rows were read, in milliseconds since 1970
//	words   how many, and each
//	rows    how many, and of each: rank, id, numbers of the words of the name with the labels, of other words

const (
	magic  = "RMBOOK2\n"
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
	r := &fileReader{rest: file[crcEnd:], text: string(file[crcEnd:]), numbers: make([]uint32, 0, len(file)/3)}
	until = time.UnixMilli(int64(r.readNumber()))
	b = &base{words: make([]string, r.readCount())}
	for i := range b.words {
		b.words[i] = r.readText()
	}
	b.rows = make([]packedRow, r.readCount())
	var rank int64
	for i := range b.rows {
		rank += int64(r.readNumber())
		b.rows[i] = packedRow{rank: rank, id: r.readText(), name: r.readAscending(), rest: r.readAscending()}
	}
	if r.broken || len(r.rest) > 0 {
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
	// numbers has all numbers that were read: an array for each row would take longer.
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
