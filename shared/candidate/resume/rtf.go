package resume

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// hiddenGroups are destinations whose text is not part of the page. Every {\*\… group
// except for fields is one too.
var hiddenGroups = wordSet(`fonttbl colortbl stylesheet info pict object listtable listoverridetable revtbl rsidtbl generator themedata
	colorschememapping datastore latentstyles xmlnstbl filetbl private bkmkstart bkmkend nonshppict userprops`)

// rtfCharacters are control words that represent a character.
var rtfCharacters = map[string]string{
	"par": "\n", "line": "\n", "sect": "\n", "page": "\n", "tab": "\t",
	"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "emspace": " ", "enspace": " ",
}

// rtfTable are the control words of tables. A row may be declared again before it ends,
// and nested cells are lines.
var rtfTable = map[string]func(*collector){
	"trowd": func(c *collector) {
		if len(c.rows) == 0 {
			c.beginRow()
		}
	},
	"cell":     (*collector).beginCell,
	"row":      (*collector).endRow,
	"nestcell": func(*collector) {},
	"nestrow":  func(*collector) {},
}

var codePages = map[int]*charmap.Charmap{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 1250: charmap.Windows1250, 1251: charmap.Windows1251,
	1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256,
	1257: charmap.Windows1257, 1258: charmap.Windows1258, 10000: charmap.Macintosh,
}

// rtfGroup is the state that a closing brace restores.
type rtfGroup struct {
	hidden, field bool
	fallback      int // characters after \uN for old readers (\ucN)
}

// rtfReader reads RTF in one pass over its bytes.
type rtfReader struct {
	out    *collector
	src    []byte
	at     int
	group  rtfGroup
	stack  []rtfGroup
	page   *charmap.Charmap
	skip   int  // fallback characters still to skip
	star   bool // the group began with \*
	text   strings.Builder
	field  strings.Builder
	failed error
}

func readRTF(ctx context.Context, content []byte, out *collector) error {
	r := &rtfReader{out: out, src: content, page: charmap.Windows1252, group: rtfGroup{fallback: 1}}
	progress := checkpoint{ctx: ctx}
	for passed := 0; r.at < len(r.src) && r.failed == nil && !out.isFull(); {
		if err := progress.countBytes(r.at - passed); err != nil {
			return err
		}
		passed = r.at
		r.readNext()
	}
	r.endLine()
	return r.failed
}

func (r *rtfReader) readNext() {
	c := r.src[r.at]
	r.at++
	switch c {
	case '{':
		if len(r.stack) >= maxDepth {
			r.failed = limitFailure(nil)
			return
		}
		r.stack = append(r.stack, r.group)
		r.skip = 0
	case '}':
		r.closeGroup()
	case '\\':
		r.readControl()
	case '\r', '\n', 0:
	default:
		r.addCharacter(string(r.page.DecodeByte(c)))
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
			r.out.addLink(m[1])
		}
		r.field.Reset()
	}
	r.group, r.stack, r.skip, r.star = r.stack[last], r.stack[:last], 0, false
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
	word, number := string(r.src[start:r.at]), r.at
	for r.at < len(r.src) && r.at-number < 11 && (r.src[r.at] >= '0' && r.src[r.at] <= '9' || r.at == number && r.src[r.at] == '-') {
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
				r.addCharacter(string(r.page.DecodeByte(byte(v))))
			}
			r.at += 2
		}
	case '*':
		r.star = true
	case '~':
		r.addCharacter("\u00a0")
	case '_':
		r.addCharacter("-")
	case '\\', '{', '}':
		r.addCharacter(string(rune(c)))
	case '\n', '\r':
		r.addCharacter("\n")
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
	case word == "u" && numbered:
		if value < 0 {
			value += 1 << 16
		}
		r.addCharacter(string(rune(value)))
		r.skip = r.group.fallback
	case word == "uc" && numbered && value >= 0:
		r.group.fallback = value
	case word == "bin" && value > 0:
		r.at += min(value, len(r.src)-r.at)
	case word == "ansicpg" && codePages[value] != nil:
		r.page = codePages[value]
	case rtfCharacters[word] != "":
		r.addCharacter(rtfCharacters[word])
	}
}

func (r *rtfReader) addCharacter(s string) {
	switch {
	case r.skip > 0:
		r.skip--
	case r.group.hidden:
	case r.group.field:
		if r.field.Len() < maxURL {
			r.field.WriteString(s)
		}
	case s == "\n":
		r.endLine()
	case r.text.Len() < maxText:
		r.text.WriteString(s)
	}
}

func (r *rtfReader) endLine() {
	r.out.addText(r.text.String())
	r.text.Reset()
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
