package filetype

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 holds the characters 0x80 to 0x9f, in which it differs from Latin-1; 0
// means none. (Package charmap would link the tables of every other encoding into a
// function that only checks uploads.)
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

// DecodeText decodes UTF-8, UTF-16 with a byte order mark, and otherwise Windows-1252,
// in which old editors save. ok is false if a byte has no meaning in any of them.
func DecodeText(content []byte) (text string, ok bool) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return decodeUTF16(content[2:], 0)
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return decodeUTF16(content[2:], 1)
	case utf8.Valid(content):
		return string(bytes.TrimPrefix(content, utf8BOM)), true
	}
	return decode1252(content)
}

func decode1252(content []byte) (string, bool) {
	var b strings.Builder
	b.Grow(len(content))
	for r := range windows1252Runes(content) {
		if r == undefinedRune {
			return "", false
		}
		b.WriteRune(r)
	}
	return b.String(), true
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

// undefinedRune stands for bytes without a character in the encoding.
const undefinedRune rune = -1

// allRunes yields the characters that DecodeText returns, except that surrogates of
// UTF-16 stay separate. It copies nothing: an upload may be 9 MB, and up to three
// times as much in another encoding.
func allRunes(content []byte) iter.Seq[rune] {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return utf16Units(content[2:], 0)
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return utf16Units(content[2:], 1)
	case utf8.Valid(content):
		return utf8Runes(content)
	}
	return windows1252Runes(content)
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

func windows1252Runes(content []byte) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for _, c := range content {
			if !yield(windows1252Rune(c)) {
				return
			}
		}
	}
}

func windows1252Rune(c byte) rune {
	r := rune(c)
	if c >= 0x80 && c < 0xa0 {
		r = windows1252[c-0x80]
	}
	if r == 0 {
		return undefinedRune
	}
	return r
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
