package decode

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// maxDepth is how deep objects and arrays may nest.
const maxDepth = 64

// parseBody reads a JSON text that must be one object. It is strict (RFC 8259, no
// duplicate keys, valid UTF-8, no lone surrogates) everywhere, but keeps only
// what the schema knows. The error says what is wrong and where.
func parseBody(body string, schema *contract.Schema) (node, error) {
	body = strings.TrimPrefix(body, "\ufeff") // a byte order mark
	p := &parser{body: body}
	if err := p.checkText(); err != nil {
		return node{}, err
	}
	n, err := p.parseValue(schema, 0)
	if err != nil {
		return node{}, err
	}
	if p.skipSpace(); p.at < len(body) {
		return node{}, p.syntaxError("data after the end of the object")
	}
	if n.kind != kindObject {
		return node{}, fmt.Errorf("the body must be a JSON object, not %s", n.kind)
	}
	return n, nil
}

type parser struct {
	body string
	at   int
}

// syntaxError returns an error at the present position.
func (p *parser) syntaxError(format string, args ...any) error {
	before := p.body[:p.at]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("line %d, column %d (byte %d): %s", line, column, p.at, fmt.Sprintf(format, args...))
}

// checkText checks the body as a whole: not empty, valid UTF-8.
func (p *parser) checkText() error {
	if p.skipSpace(); p.at == len(p.body) {
		return fmt.Errorf("the body is empty; send a JSON object")
	}
	if utf8.ValidString(p.body) {
		return nil
	}
	for i, r := range p.body {
		if _, size := utf8.DecodeRuneInString(p.body[i:]); r == utf8.RuneError && size == 1 {
			p.at = i
			break
		}
	}
	return fmt.Errorf("byte %d: the body is not valid UTF-8", p.at)
}

// parseValue reads one value; a nil schema means that nothing of it is kept.
func (p *parser) parseValue(schema *contract.Schema, depth int) (node, error) {
	p.skipSpace()
	switch c := p.peek(); {
	case c == '{' || c == '[':
		if depth == maxDepth {
			return node{}, p.syntaxError("nesting is deeper than %d", maxDepth)
		}
		if c == '{' {
			return p.parseObject(schema, depth+1)
		}
		return p.parseArray(schema, depth+1)
	case c == '"':
		return p.parseString()
	case c == '-' || '0' <= c && c <= '9':
		return p.parseNumber()
	case c == 't':
		return p.parseLiteral("true", kindBoolean)
	case c == 'f':
		return p.parseLiteral("false", kindBoolean)
	case c == 'n':
		return p.parseLiteral("null", kindNull)
	}
	return node{}, p.unexpectedError("a value")
}

func (p *parser) parseObject(schema *contract.Schema, depth int) (node, error) {
	n := node{kind: kindObject}
	if schema != nil && schema.Kind == contract.KindObject {
		n.children = make([]node, len(schema.Fields))
	}
	var seen keySet
	for p.at++; ; p.at++ {
		if p.skipSpace(); p.peek() == '}' && seen.count == 0 {
			break
		}
		if err := p.parseMember(schema, &n, &seen, depth); err != nil {
			return node{}, err
		}
		if p.skipSpace(); p.peek() == '}' {
			break
		}
		if p.peek() != ',' {
			return node{}, p.unexpectedError("',' or '}'")
		}
	}
	p.at++
	return n, nil
}

// parseMember reads "key": value into the object's node.
func (p *parser) parseMember(schema *contract.Schema, n *node, seen *keySet, depth int) error {
	if p.peek() != '"' {
		return p.unexpectedError("a key in double quotes")
	}
	start := p.at
	key, err := p.parseString()
	if err != nil {
		return err
	}
	name := key.stringValue()
	if !seen.add(name) {
		p.at = start
		return p.syntaxError("duplicate key %s", quoteShort(name))
	}
	if p.skipSpace(); p.peek() != ':' {
		return p.unexpectedError("':'")
	}
	p.at++
	i := -1
	var child *contract.Schema
	if n.children != nil {
		i = schema.Field(name)
		if i >= 0 {
			child = schema.Fields[i].Schema
		}
	}
	v, err := p.parseValue(child, depth)
	if err == nil && i >= 0 {
		n.children[i] = v
	}
	return err
}

func (p *parser) parseArray(schema *contract.Schema, depth int) (node, error) {
	n := node{kind: kindArray}
	var item *contract.Schema
	if schema != nil && schema.Kind == contract.KindArray {
		item = schema.Items
	}
	for p.at++; ; p.at++ {
		if p.skipSpace(); p.peek() == ']' && n.count == 0 {
			break
		}
		kept := item
		if kept != nil && n.count >= int(*schema.Max) {
			kept = nil
		}
		v, err := p.parseValue(kept, depth)
		if err != nil {
			return node{}, err
		}
		if n.count++; kept != nil {
			n.children = append(n.children, v)
		}
		if p.skipSpace(); p.peek() == ']' {
			break
		}
		if p.peek() != ',' {
			return node{}, p.unexpectedError("',' or ']'")
		}
	}
	p.at++
	return n, nil
}

// parseString reads a string without copying it.
func (p *parser) parseString() (node, error) {
	n := node{kind: kindString}
	p.at++
	start := p.at
	for ; p.at < len(p.body); p.at++ {
		switch c := p.body[p.at]; {
		case c == '"':
			n.raw = p.body[start:p.at]
			p.at++
			if n.escaped {
				n.raw = p.body[start-1 : p.at]
			}
			return n, nil
		case c == '\\':
			n.escaped = true
			if err := p.skipEscape(); err != nil {
				return n, err
			}
		case c < 0x20:
			return n, p.syntaxError("unescaped control character in a string")
		}
	}
	return n, p.syntaxError("the body ends inside a string")
}

// skipEscape checks an escape and moves to its last byte.
func (p *parser) skipEscape() error {
	rest := p.body[p.at+1:]
	if rest == "" {
		return p.syntaxError("the body ends inside a string")
	}
	if rest[0] != 'u' {
		if !strings.Contains(`"\\/bfnrt`, rest[:1]) {
			return p.syntaxError("unknown escape in a string")
		}
		p.at++
		return nil
	}
	r := parseHex4(rest[1:])
	if r < 0 {
		return p.syntaxError("\\u must be followed by four hexadecimal digits")
	}
	if !utf16.IsSurrogate(r) {
		p.at += 5
		return nil
	}
	if low := rest[5:]; !strings.HasPrefix(low, `\u`) || utf16.DecodeRune(r, parseHex4(low[2:])) == utf8.RuneError {
		return p.syntaxError("unpaired surrogate")
	}
	p.at += 11
	return nil
}

func (p *parser) parseLiteral(word string, s jsonKind) (node, error) {
	if !strings.HasPrefix(p.body[p.at:], word) {
		return node{}, p.unexpectedError("a value")
	}
	p.at += len(word)
	return node{kind: s, raw: word}, nil
}

// skipSpace skips white space.
func (p *parser) skipSpace() {
	for p.at < len(p.body) {
		switch p.body[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek returns the byte at the present position; 0 at the end.
func (p *parser) peek() byte {
	if p.at == len(p.body) {
		return 0
	}
	return p.body[p.at]
}

func (p *parser) unexpectedError(want string) error {
	if p.at == len(p.body) {
		return p.syntaxError("the body ends where %s is expected", want)
	}
	r, _ := utf8.DecodeRuneInString(p.body[p.at:])
	return p.syntaxError("%q where %s is expected", r, want)
}

// keySet finds duplicate keys of one object. Few keys are compared one by one, which
// needs no memory of its own; many go into a map.
type keySet struct {
	few   [16]string
	count int
	set   map[string]struct{}
}

// add adds a name and reports whether it is new.
func (k *keySet) add(name string) bool {
	if k.set == nil && slices.Contains(k.few[:k.count], name) {
		return false
	}
	if k.count++; k.count <= len(k.few) {
		k.few[k.count-1] = name
		return true
	}
	if k.set == nil {
		k.set = make(map[string]struct{}, 4*len(k.few))
		for _, other := range k.few {
			k.set[other] = struct{}{}
		}
	}
	before := len(k.set)
	k.set[name] = struct{}{}
	return len(k.set) > before
}
