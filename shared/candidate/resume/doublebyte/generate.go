//go:build ignore

// Command generate writes tables.gz: what golang.org/x/text decodes each pair of bytes to. Its
// own tables, with those for encoding, would make ingest 0.5 MB larger.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

func main() {
	var out bytes.Buffer
	for _, e := range []encoding.Encoding{simplifiedchinese.GBK, traditionalchinese.Big5, japanese.ShiftJIS, japanese.EUCJP, korean.EUCKR} {
		for lead := 0x81; lead <= 0xfe; lead++ {
			for trail := 0x40; trail <= 0xfe; trail++ {
				_ = binary.Write(&out, binary.BigEndian, decodePair(e, byte(lead), byte(trail)))
			}
		}
	}
	writeRuns(&out)
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if _, err := w.Write(out.Bytes()); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	if err := os.WriteFile("tables.gz", packed.Bytes(), 0o600); err != nil {
		panic(err)
	}
}

// fourBytes is how many characters of 16 bits GB 18030 has in four bytes.
const fourBytes = 39420

// writeRuns writes where runs of successive characters begin among those of four bytes: the number
// of the first, and the character.
func writeRuns(out *bytes.Buffer) {
	last := rune(-2)
	for n := range fourBytes {
		four := []byte{0x81 + byte(n/12600), 0x30 + byte(n/1260%10), 0x81 + byte(n/10%126), 0x30 + byte(n%10)}
		got, err := simplifiedchinese.GB18030.NewDecoder().Bytes(four)
		r, _ := utf8.DecodeRune(got)
		if err == nil && r != last+1 {
			_ = binary.Write(out, binary.BigEndian, [2]uint16{uint16(n), uint16(r)})
		}
		last = r
	}
}

// decodePair returns the character of two bytes, or 0 if they are none of 16 bits.
func decodePair(e encoding.Encoding, lead, trail byte) uint16 {
	got, err := e.NewDecoder().Bytes([]byte{lead, trail})
	r, size := utf8.DecodeRune(got)
	if err != nil || size != len(got) || r == utf8.RuneError || r > 0xffff {
		return 0
	}
	return uint16(r)
}
