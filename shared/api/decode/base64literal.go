package decode

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"
)

// decodeLiteral decodes a JSON string with escapes as [Base64] decodes the text that it holds.
func decodeLiteral(literal string) ([]byte, error) {
	text := &literalReader{rest: strings.TrimSuffix(strings.TrimPrefix(literal, `"`), `"`)}
	if whole := *text; text.skipPast("data:", len("data:")) {
		if !text.skipPast(";base64,", len(literal)) {
			return nil, errors.New("the data: URL is not base64")
		}
	} else {
		*text = whole
	}
	content := bytes.NewBuffer(make([]byte, 0, base64.RawStdEncoding.DecodedLen(len(literal))+bytes.MinRead)) // it does not grow
	_, err := content.ReadFrom(base64.NewDecoder(base64.RawStdEncoding, text))
	return content.Bytes(), err
}

// noBase64Byte replaces what base64 cannot hold.
const noBase64Byte = 0

// literalReader reads base64 of a JSON string: in the standard alphabet, without padding and line breaks.
type literalReader struct {
	rest              string // without quotes
	padded            bool
	standard, urlSafe bool // which alphabet was seen; not both
}

// Read implements [io.Reader].
func (r *literalReader) Read(p []byte) (n int, err error) {
	for n < len(p) && r.rest != "" {
		switch b := r.readByte(); b {
		case '\r', '\n':
		case '=':
			r.padded = true
		default:
			p[n] = r.standardByte(b)
			n++
		}
	}
	if n == 0 && r.rest == "" {
		return 0, io.EOF
	}
	return n, nil
}

// standardByte returns a digit in the standard alphabet.
func (r *literalReader) standardByte(b byte) byte {
	switch b {
	case '+', '/':
		r.standard = true
	case '-':
		b = '+'
		r.urlSafe = true
	case '_':
		b = '/'
		r.urlSafe = true
	}
	if r.padded || r.standard && r.urlSafe {
		return noBase64Byte
	}
	return b
}

// readByte returns the next character, with its escape resolved. There must be one.
func (r *literalReader) readByte() byte {
	if r.rest[0] != '\\' {
		b := r.rest[0]
		r.rest = r.rest[1:]
		return b
	}
	size := 2
	if strings.HasPrefix(r.rest, `\u`) {
		size = 6
	}
	escape := r.rest[:min(size, len(r.rest))]
	r.rest = r.rest[len(escape):]
	return resolveEscape(escape)
}

// resolveEscape returns the character of an escape if base64 or a data: URL may hold it.
func resolveEscape(escape string) byte {
	switch {
	case escape == `\n`:
		return '\n'
	case escape == `\r`:
		return '\r'
	case escape == `\/`:
		return '/'
	case len(escape) == 6:
		if character := parseHex4(escape[2:]); 0 < character && character < 0x80 {
			return byte(character)
		}
	}
	return noBase64Byte
}

// skipPast moves past the first occurrence of mark in the next most characters, and reports
// whether there is one.
func (r *literalReader) skipPast(mark string, most int) bool {
	var last []byte
	for range most {
		if r.rest == "" {
			return false
		}
		last = append(last, r.readByte())
		if len(last) > len(mark) {
			last = append(last[:0], last[1:]...)
		}
		if string(last) == mark {
			return true
		}
	}
	return false
}

// parseHex4 returns the value of four hexadecimal digits; -1 if s does not begin with
// them.
func parseHex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
