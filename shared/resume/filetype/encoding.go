package filetype

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

var notIn1252 = [256]bool{0: true, 0x81: true, 0x8d: true, 0x8f: true, 0x90: true, 0x9d: true}

// DecodeText decodes UTF-8, UTF-16 with a mark, and else Windows-1252, in which
// old editors save. ok is false where a byte has no meaning in any of them.
func DecodeText(content []byte) (text string, ok bool) {
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return decodeUTF16(content[2:], 0)
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return decodeUTF16(content[2:], 1)
	case utf8.Valid(content):
		return string(bytes.TrimPrefix(content, utf8BOM)), true
	case slices.ContainsFunc(content, func(c byte) bool { return notIn1252[c] }):
		return "", false
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(content)
	return string(decoded), err == nil
}

// decodeUTF16 takes the position of the low byte's neighbour: 0 for little-endian, 1 for big-endian.
func decodeUTF16(content []byte, low int) (string, bool) {
	units := make([]uint16, len(content)/2)
	for i := range units {
		units[i] = uint16(content[2*i+low]) | uint16(content[2*i+1-low])<<8
	}
	return string(utf16.Decode(units)), len(content)%2 == 0
}
