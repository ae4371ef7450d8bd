package office

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// hiddenGroups are destinations with text that is not part of the page, as is every {\*\… group but fields.
var hiddenGroups = words.Set(`fonttbl colortbl stylesheet info pict object listtable listoverridetable revtbl rsidtbl generator themedata
	colorschememapping datastore latentstyles xmlnstbl filetbl private bkmkstart bkmkend nonshppict userprops`)

// rtfCharacters are control words and symbols that represent a character.
var rtfCharacters = map[string]string{
	"~": "\u00a0", "_": "-", `\`: `\`, "{": "{", "}": "}", "\n": "\n", "\r": "\n",
	"par": "\n", "line": "\n", "sect": "\n", "page": "\n", "tab": "\t",
	"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’",
	"ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ",
}

// rtfTable are the control words of tables. A row may be declared again before it ends, and nested cells are lines.
var rtfTable = map[string]func(*collect.Collector){
	"trowd": func(c *collect.Collector) {
		if c.OpenRows() == 0 {
			c.BeginRow()
		}
	},
	"cell":     (*collect.Collector).BeginCell,
	"row":      (*collect.Collector).EndRow,
	"nestcell": func(*collect.Collector) {},
	"nestrow":  func(*collect.Collector) {},
}

const (
	maxFonts     = 1000 // of one document
	maxLostBytes = 3    // without a character in their encoding; with more the text is garbled
)

// rtfGroup is the state that a closing brace restores.
type rtfGroup struct {
	hidden, field bool
	fonts         bool // the table of fonts
	font          int  // the bytes are in its encoding
	fallback      int  // characters after \uN for old readers (\ucN)
}

type rtfReader struct {
	out   *collect.Collector
	src   []byte
	at    int
	group rtfGroup
	stack []rtfGroup
	page  encoding.Encoding         // of fonts without an encoding of their own
	fonts map[int]encoding.Encoding // encodings of fonts
	lead  []byte                    // the first bytes of a character
	lost  int                       // bytes without a character
	skip  int                       // fallback characters still to skip
	high  rune                      // the first half of a character beyond U+FFFF
	star  bool                      // the group began with \*
	text  strings.Builder
	field strings.Builder
}

// ReadRTF reads a file in Rich Text Format.
func ReadRTF(ctx context.Context, content []byte, out *collect.Collector) error {
	r := &rtfReader{out: out, src: content, page: codePages[1252], fonts: make(map[int]encoding.Encoding), group: rtfGroup{fallback: 1}}
	for r.at < len(r.src) && !out.IsFull() {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := r.src[r.at]
		r.at++
		switch c {
		case '{':
			if len(r.stack) >= maxDepth {
				return document.LimitFailure(nil)
			}
			r.stack = append(r.stack, r.group)
			r.skip = 0
		case '}':
			r.closeGroup()
		case '\\':
			r.readControl()
		case '\r', '\n', 0:
		default:
			r.addByte(c)
		}
	}
	r.endLine()
	if r.lost > maxLostBytes {
		return encodingFailure()
	}
	return nil
}

func (r *rtfReader) addByte(c byte) {
	if r.group.hidden || r.skip > 0 {
		r.addCharacter("?")
		return
	}
	page, ok := r.fonts[r.group.font]
	if !ok {
		page = r.page
	}
	r.lead = append(r.lead, c)
	var decoded [4 * utf8.UTFMax]byte
	size, _, err := page.NewDecoder().Transform(decoded[:], r.lead, false)
	if errors.Is(err, transform.ErrShortSrc) {
		return // the character has more bytes
	}
	r.lead = r.lead[:0]
	if text := decoded[:size]; size == 0 || bytes.ContainsFunc(text, isUndecoded) {
		r.lost++
	} else {
		r.addCharacter(string(text))
	}
}

func (r *rtfReader) closeGroup() {
	last := len(r.stack) - 1
	if last < 0 {
		return
	}
	if last == 0 {
		r.at = len(r.src) // ignore what follows the document's own group
	}
	if r.group.field && !r.stack[last].field {
		for _, m := range fieldLink().FindAllStringSubmatch(r.field.String(), -1) {
			r.out.AddLink(m[1])
		}
		r.field.Reset()
	}
	r.group = r.stack[last]
	r.stack = r.stack[:last]
	r.skip = 0
	r.star = false
}

// readControl reads what follows a backslash: a symbol, or a word and an optional number.
func (r *rtfReader) readControl() {
	if r.at >= len(r.src) {
		return
	}
	if c := r.src[r.at]; !isASCIILetter(c) {
		r.at++
		r.applySymbol(c)
		return
	}
	start := r.at
	for r.at < len(r.src) && isASCIILetter(r.src[r.at]) {
		r.at++
	}
	word := string(r.src[start:r.at])
	number := r.at
	if r.at < len(r.src) && r.src[r.at] == '-' {
		r.at++
	}
	for r.at < min(len(r.src), number+11) && r.src[r.at] >= '0' && r.src[r.at] <= '9' {
		r.at++
	}
	value, err := strconv.Atoi(string(r.src[number:r.at]))
	if r.at < len(r.src) && r.src[r.at] == ' ' {
		r.at++
	}
	r.applyControlWord(word, value, err == nil)
}

func (r *rtfReader) applySymbol(c byte) {
	switch c {
	case '\'':
		if r.at+2 <= len(r.src) {
			if v, err := strconv.ParseUint(string(r.src[r.at:r.at+2]), 16, 8); err == nil {
				r.addByte(byte(v))
			}
			r.at += 2
		}
	case '*':
		r.star = true
	default:
		if character := rtfCharacters[string(rune(c))]; character != "" {
			r.addCharacter(character)
		}
	}
}

func (r *rtfReader) applyControlWord(word string, value int, numbered bool) {
	star := r.star
	r.star = false
	switch {
	case rtfTable[word] != nil:
		if !r.group.hidden {
			r.endLine()
			rtfTable[word](r.out)
		}
	case word == "fldinst":
		r.group.field = true
	case star || hiddenGroups[word]:
		r.group.hidden = true
		r.group.fonts = r.group.fonts || word == "fonttbl"
	case word == "u" && numbered:
		if value < 0 {
			value += 1 << 16
		}
		r.addUnit(rune(value))
		r.skip = r.group.fallback
	case word == "uc" && numbered && value >= 0:
		r.group.fallback = value
	case word == "bin" && value > 0:
		r.at += min(value, len(r.src)-r.at)
	case word == "ansicpg":
		if page, ok := codePages[value]; ok {
			r.page = page
		}
	case word == "f":
		r.group.font = value
	case (word == "fcharset" || word == "cpg") && r.group.fonts:
		if word == "fcharset" {
			value = fontCharsets[value]
		}
		if page, ok := codePages[value]; ok && len(r.fonts) < maxFonts {
			r.fonts[r.group.font] = page
		}
	case rtfCharacters[word] != "":
		r.addCharacter(rtfCharacters[word])
	}
}

// addUnit adds a unit of UTF-16: Word writes a character beyond U+FFFF as two.
func (r *rtfReader) addUnit(unit rune) {
	high := r.high
	r.high = 0
	switch {
	case !utf16.IsSurrogate(unit):
		r.addCharacter(string(unit))
	case high == 0:
		r.high = unit
	default:
		r.addCharacter(string(utf16.DecodeRune(high, unit)))
	}
}

func (r *rtfReader) addCharacter(s string) {
	if r.skip > 0 {
		r.skip--
		return
	}
	r.high = 0 // whose second half must follow at once
	switch {
	case r.group.hidden:
	case r.group.field:
		if r.field.Len() < document.MaxURL {
			r.field.WriteString(s)
		}
	case s == "\n":
		r.endLine()
	case r.text.Len() < document.MaxText:
		r.text.WriteString(s)
	}
}

func (r *rtfReader) endLine() {
	r.out.AddText(r.text.String())
	r.text.Reset()
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
