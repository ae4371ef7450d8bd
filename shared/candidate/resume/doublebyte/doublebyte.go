// Package doublebyte decodes the encodings of Chinese, Japanese and Korean text in which a
// character has one or two bytes, and GB 18030's characters of four. It does not know EUC-JP's of
// three bytes, which resumes do not use.
package doublebyte

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"io"
	"sort"
	"sync"
	"unicode/utf8"
)

//go:generate go run generate.go

// packed holds a table for each encoding.
//
//go:embed tables.gz
var packed []byte

// The bytes of a pair.
const (
	firstLead  = 0x81
	lastLead   = 0xfe
	firstTrail = 0x40
	trails     = 0xff - firstTrail
	tableSize  = (lastLead - firstLead + 1) * trails
)

// Encoding is one of the encodings.
type Encoding int

// The encodings.
const (
	GBK Encoding = iota // with the characters of four bytes of GB 18030
	Big5
	ShiftJIS
	EUCJP
	EUCKR
)

var tables = sync.OnceValue(func() []uint16 {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the file is part of the program
	}
	content, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	out := make([]uint16, len(content)/2)
	for i := range out {
		out[i] = binary.BigEndian.Uint16(content[2*i:])
	}
	return out
})

// DecodeRune returns the first character of text and how many bytes it has. It returns
// [utf8.RuneError] and 1 if there is none.
func (e Encoding) DecodeRune(text []byte) (r rune, size int) {
	lead := text[0]
	switch {
	case lead < utf8.RuneSelf:
		return rune(lead), 1
	case e == ShiftJIS && lead >= 0xa1 && lead <= 0xdf:
		return 0xff61 + rune(lead) - 0xa1, 1 // half-width katakana
	case e == GBK && len(text) >= 4 && text[1] >= '0' && text[1] <= '9':
		return decodeFour(text)
	case len(text) < 2 || lead < firstLead || lead > lastLead || text[1] < firstTrail || text[1] == 0xff:
		return utf8.RuneError, 1
	}
	r = rune(tables()[int(e)*tableSize+int(lead-firstLead)*trails+int(text[1]-firstTrail)])
	if r == 0 {
		return utf8.RuneError, 1
	}
	return r, 2
}

// Numbers of characters of four bytes.
const (
	endOfRuns   = 39420
	firstBeyond = 189000 // of those beyond 16 bits
)

// decodeFour decodes a character of four bytes of GB 18030.
func decodeFour(text []byte) (r rune, size int) {
	if text[0] < firstLead || text[0] > lastLead || text[2] < firstLead || text[2] > lastLead || text[3] < '0' || text[3] > '9' {
		return utf8.RuneError, 1
	}
	n := ((int(text[0]-firstLead)*10+int(text[1]-'0'))*126+int(text[2]-firstLead))*10 + int(text[3]-'0')
	runs := tables()[5*tableSize:]
	switch beyond := n - firstBeyond; {
	case beyond >= 0 && beyond <= utf8.MaxRune-0x10000:
		return 0x10000 + rune(beyond), 4
	case n >= endOfRuns:
		return utf8.RuneError, 1
	}
	at := sort.Search(len(runs)/2, func(i int) bool { return int(runs[2*i]) > n }) - 1
	return rune(runs[2*at+1]) + rune(n-int(runs[2*at])), 4
}

// IsLead reports whether a byte begins a pair.
func (e Encoding) IsLead(c byte) bool {
	return c >= firstLead && c <= lastLead && (e != ShiftJIS || c < 0xa1 || c > 0xdf)
}
