package filetype

import (
	"bytes"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeUnicode decodes UTF-8, and UTF-16 with a byte order mark or without. ok is false for
// anything else.
func DecodeUnicode(content []byte) (text string, ok bool) {
	if order, start := findUTF16(content); order != noUTF16 {
		return decodeUTF16(content[start:], int(order))
	}
	if utf8.Valid(content) {
		return string(bytes.TrimPrefix(content, utf8BOM)), true
	}
	return "", false
}

// byteOrder is the position of a unit's low byte in UTF-16, or noUTF16.
type byteOrder int

const (
	littleEndian byteOrder = 0
	bigEndian    byteOrder = 1
	noUTF16      byteOrder = -1
)

const (
	unmarkedPart = 4 << 10 // bytes by which UTF-16 without a mark is found
	spaceShare   = 40      // one unit of so many is a space, a digit or a line break
)

// findUTF16 returns the byte order of UTF-16 and where the text begins. Without a mark, text has
// bytes of zero, which no other encoding has: the high bytes of spaces, digits and line breaks.
func findUTF16(content []byte) (order byteOrder, start int) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return littleEndian, 2
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return bigEndian, 2
	case len(content)%2 != 0 || bytes.IndexByte(content[:min(len(content), unmarkedPart)], 0) < 0:
		return noUTF16, 0
	}
	for _, order := range []byteOrder{littleEndian, bigEndian} {
		if looksLikeUTF16(content[:min(len(content), unmarkedPart)], order) {
			return order, 0
		}
	}
	return noUTF16, 0
}

// looksLikeUTF16 reports whether content has characters of text alone, and spaces among them.
func looksLikeUTF16(content []byte, order byteOrder) bool {
	units := 0
	spaces := 0
	for r := range utf16Units(content[:len(content)/2*2], int(order)) {
		units++
		switch {
		case isBinary(r), r == 0xfffe, r == 0xffff, r >= 0xe000 && r < 0xf900:
			return false
		case r == ' ', r == '\n', r == '\r', r >= '0' && r <= '9':
			spaces++
		}
	}
	return units > 0 && spaces*spaceShare >= units
}

// decodeUTF16 decodes UTF-16. low is the position of a unit's low byte: 0 for
// little-endian, 1 for big-endian.
func decodeUTF16(content []byte, low int) (string, bool) {
	units := make([]uint16, len(content)/2)
	for i := range units {
		units[i] = uint16(content[2*i+low]) | uint16(content[2*i+1-low])<<8
	}
	return string(utf16.Decode(units)), len(content)%2 == 0
}

// undefinedRune represents bytes without a character in the encoding.
const undefinedRune rune = -1

// allRunes yields the characters of text, except that surrogates of UTF-16 stay separate. Of
// text in another encoding, which package charset detects, it yields the bytes of ASCII. It copies
// nothing: an upload may be 9 MB, and up to three times as much in another encoding.
func allRunes(content []byte) iter.Seq[rune] {
	if order, start := findUTF16(content); order != noUTF16 {
		return utf16Units(content[start:], int(order))
	}
	if utf8.Valid(content) {
		return utf8Runes(content)
	}
	return asciiRunes(content)
}

func utf8Runes(content []byte) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for len(content) > 0 {
			r, size := utf8.DecodeRune(content)
			if !yield(r) {
				return
			}
			content = content[size:]
		}
	}
}

func asciiRunes(content []byte) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for _, c := range content {
			if c < utf8.RuneSelf && !yield(rune(c)) {
				return
			}
		}
	}
}

func utf16Units(content []byte, low int) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for i := 0; i+1 < len(content); i += 2 {
			if !yield(rune(content[i+low]) | rune(content[i+1-low])<<8) {
				return
			}
		}
		if len(content)%2 != 0 {
			yield(undefinedRune)
		}
	}
}
