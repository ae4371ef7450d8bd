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

// parse reads a JSON text that must be one object. It is strict (RFC 8259, no
// duplicate keys, valid UTF-8, no lone surrogates) everywhere, but keeps only
// what the schema knows. The message says what is wrong and where.
func parse(body string, schema *contract.Schema) (node, error) {
	p := &parser{body: body}
	if err := p.start(); err != nil {
		return node{}, err
	}
	n, err := p.value(schema, 0)
	if err != nil {
		return node{}, err
	}
	if p.space(); p.at < len(body) {
		return node{}, p.fail("there is data after the end of the object")
	}
	if n.sort != object {
		return node{}, fmt.Errorf("the body must be a JSON object, not %s", n.sort)
	}
	return n, nil
}

type parser struct {
	body string
	at   int
}

// fail tells what was met at the present position.
func (p *parser) fail(format string, args ...any) error {
	before := p.body[:p.at]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("line %d, column %d (byte %d): %s", line, column, p.at, fmt.Sprintf(format, args...))
}

// start checks what holds for the body as a whole.
func (p *parser) start() error {
	if p.space(); p.at == len(p.body) {
		return fmt.Errorf("the body is empty; send a JSON object")
	}
	if strings.HasPrefix(p.body, "\ufeff") {
		return p.fail("there is a byte order mark; send UTF-8 without one")
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

// value reads one value; a nil schema means that nothing of it is kept.
func (p *parser) value(schema *contract.Schema, depth int) (node, error) {
	p.space()
	switch c := p.peek(); {
	case c == '{' || c == '[':
		if depth == maxDepth {
			return node{}, p.fail("nesting is deeper than %d", maxDepth)
		}
		if c == '{' {
			return p.object(schema, depth+1)
		}
		return p.array(schema, depth+1)
	case c == '"':
		return p.string()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	case c == 't':
		return p.literal("true", boolean)
	case c == 'f':
		return p.literal("false", boolean)
	case c == 'n':
		return p.literal("null", null)
	}
	return node{}, p.unexpected("a value")
}

func (p *parser) object(schema *contract.Schema, depth int) (node, error) {
	n := node{sort: object}
	if schema != nil && schema.Kind == contract.KindObject {
		n.list = make([]node, len(schema.Fields))
	}
	var seen keys
	for p.at++; ; p.at++ {
		if p.space(); p.peek() == '}' && seen.count == 0 {
			break
		}
		if err := p.member(schema, &n, &seen, depth); err != nil {
			return node{}, err
		}
		if p.space(); p.peek() == '}' {
			break
		}
		if p.peek() != ',' {
			return node{}, p.unexpected("',' or '}'")
		}
	}
	p.at++
	return n, nil
}

// member reads "key": value into the object's node.
func (p *parser) member(schema *contract.Schema, n *node, seen *keys, depth int) error {
	if p.peek() != '"' {
		return p.unexpected("a key in double quotes")
	}
	start := p.at
	key, err := p.string()
	if err != nil {
		return err
	}
	name := key.string()
	if !seen.add(name) {
		p.at = start
		return p.fail("the key %s is there twice", echo(name))
	}
	if p.space(); p.peek() != ':' {
		return p.unexpected("':'")
	}
	p.at++
	i := -1
	var child *contract.Schema
	if n.list != nil {
		if i = schema.Field(name); i >= 0 {
			child = schema.Fields[i].Schema
		}
	}
	v, err := p.value(child, depth)
	if err == nil && i >= 0 {
		n.list[i] = v
	}
	return err
}

func (p *parser) array(schema *contract.Schema, depth int) (node, error) {
	n := node{sort: array}
	var item *contract.Schema
	if schema != nil && schema.Kind == contract.KindArray {
		item = schema.Items
	}
	for p.at++; ; p.at++ {
		if p.space(); p.peek() == ']' && n.count == 0 {
			break
		}
		kept := item
		if kept != nil && n.count >= int(*schema.Max) {
			kept = nil
		}
		v, err := p.value(kept, depth)
		if err != nil {
			return node{}, err
		}
		if n.count++; kept != nil {
			n.list = append(n.list, v)
		}
		if p.space(); p.peek() == ']' {
			break
		}
		if p.peek() != ',' {
			return node{}, p.unexpected("',' or ']'")
		}
	}
	p.at++
	return n, nil
}

// string reads a string without copying it.
func (p *parser) string() (node, error) {
	n := node{sort: text}
	p.at++
	start := p.at
	for ; p.at < len(p.body); p.at++ {
		switch c := p.body[p.at]; {
		case c == '"':
			n.raw = p.body[start:p.at]
			p.at++
			return n, nil
		case c == '\\':
			n.escaped = true
			if err := p.escape(); err != nil {
				return n, err
			}
		case c < 0x20:
			return n, p.fail("a control character stands unescaped in a string")
		}
	}
	return n, p.fail("the body ends inside a string")
}

// escape checks an escape and moves to its last byte.
func (p *parser) escape() error {
	rest := p.body[p.at+1:]
	if rest == "" {
		return p.fail("the body ends inside a string")
	}
	if rest[0] != 'u' {
		if plain[rest[0]] == 0 {
			return p.fail("there is no such escape in JSON")
		}
		p.at++
		return nil
	}
	r := hex4(rest[1:])
	if r < 0 {
		return p.fail("\\u wants four hexadecimal digits")
	}
	if !utf16.IsSurrogate(r) {
		p.at += 5
		return nil
	}
	if low := rest[5:]; !strings.HasPrefix(low, `\u`) || utf16.DecodeRune(r, hex4(low[2:])) == utf8.RuneError {
		return p.fail("a surrogate stands without its other half")
	}
	p.at += 11
	return nil
}

func (p *parser) literal(word string, s sort) (node, error) {
	if !strings.HasPrefix(p.body[p.at:], word) {
		return node{}, p.unexpected("a value")
	}
	p.at += len(word)
	return node{sort: s, raw: word}, nil
}

// space skips white space.
func (p *parser) space() {
	for p.at < len(p.body) {
		switch p.body[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek gives the byte at the present position; 0 at the end.
func (p *parser) peek() byte {
	if p.at == len(p.body) {
		return 0
	}
	return p.body[p.at]
}

func (p *parser) unexpected(want string) error {
	if p.at == len(p.body) {
		return p.fail("the body ends where %s is expected", want)
	}
	r, _ := utf8.DecodeRuneInString(p.body[p.at:])
	return p.fail("%q where %s is expected", r, want)
}

// keys tells duplicates within one object. A few keys are compared one by one,
// which needs no memory of its own; many go into a set.
type keys struct {
	few   [16]string
	count int
	set   map[string]struct{}
}

// add tells whether the name is new.
func (k *keys) add(name string) bool {
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
