package filetype

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeUnicode decodes UTF-8, and UTF-16 with a byte order mark or without. ok is false for
// anything else, and for half a unit at the end.
func DecodeUnicode(content []byte) (text string, ok bool) {
	if order, start := findUTF16(content); order != nil {
		return string(utf16.Decode(slices.Collect(utf16Units(content[start:], order)))), len(content)%2 == 0
	}
	if utf8.Valid(content) {
		return string(bytes.TrimPrefix(content, utf8BOM)), true
	}
	return "", false
}

const (
	unmarkedPart = 4 << 10 // bytes by which UTF-16 without a mark is found
	spaceShare   = 40      // one unit of so many is a space, a digit or a line break
)

// findUTF16 returns the byte order of UTF-16, or nil, and where the text begins. Without a mark, text has
// bytes of zero, which no other encoding has: the high bytes of spaces, digits and line breaks.
func findUTF16(content []byte) (order binary.ByteOrder, start int) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return binary.LittleEndian, 2
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return binary.BigEndian, 2
	case len(content)%2 != 0 || bytes.IndexByte(content[:min(len(content), unmarkedPart)], 0) < 0:
		return nil, 0
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if looksLikeUTF16(content[:min(len(content), unmarkedPart)], order) {
			return order, 0
		}
	}
	return nil, 0
}

// looksLikeUTF16 reports whether content has characters of text alone, and spaces among them.
func looksLikeUTF16(content []byte, order binary.ByteOrder) bool {
	units := 0
	spaces := 0
	for r := range utf16Units(content, order) {
		units++
		switch {
		case isBinary(rune(r)), r == 0xfffe, r == 0xffff, r >= 0xe000 && r < 0xf900:
			return false
		case r == ' ', r == '\n', r == '\r', r >= '0' && r <= '9':
			spaces++
		}
	}
	return units > 0 && spaces*spaceShare >= units
}

// utf16Units yields the units of UTF-16: surrogates stay separate.
func utf16Units(content []byte, order binary.ByteOrder) iter.Seq[uint16] {
	return func(yield func(uint16) bool) {
		for unit := range slices.Chunk(content[:len(content)/2*2], 2) {
			if !yield(order.Uint16(unit)) {
				return
			}
		}
	}
}
