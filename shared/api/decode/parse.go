package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// maxDepth is how deep objects and arrays may nest.
const maxDepth = 64

// parseBody reads a JSON text that must be one object. It is strict (RFC 8259, no
// duplicate keys, valid UTF-8, no lone surrogates) everywhere, but keeps only
// what the schema knows. The error says what is wrong and where.
func parseBody(body string, schema *contract.Schema) (node, error) {
	sent := len(body)
	body = strings.TrimPrefix(body, "\ufeff") // a byte order mark
	if strings.Trim(body, " \t\r\n") == "" {
		return node{}, errors.New("the body is empty; send a JSON object")
	}
	// The decoder does not write into what it reads, so that a body of 8 MiB need not be copied.
	text := unsafe.Slice(unsafe.StringData(body), len(body))
	p := &parser{body: body, before: int64(sent - len(body)), decoder: jsontext.NewDecoder(bytes.NewBuffer(text))}
	n, err := p.parseValue(schema)
	if err != nil {
		return node{}, err
	}
	if _, err := p.decoder.ReadToken(); err != io.EOF {
		rest := strings.TrimLeft(body[p.decoder.InputOffset():], " \t\r\n")
		return node{}, p.errorAt(int64(len(body)-len(rest)), "data after the end of the object")
	}
	if n.kind != kindObject {
		return node{}, fmt.Errorf("the body must be a JSON object, not %s", n.kind)
	}
	return n, nil
}

type parser struct {
	body    string
	before  int64 // bytes that were sent before the body
	decoder *jsontext.Decoder
}

// parseValue reads one value; a nil schema means that nothing of it is kept.
func (p *parser) parseValue(schema *contract.Schema) (node, error) {
	switch kind := p.decoder.PeekKind(); kind {
	case '{', '[':
		if _, err := p.decoder.ReadToken(); err != nil {
			return node{}, p.explain(err)
		}
		if p.decoder.StackDepth() > maxDepth {
			return node{}, p.errorAt(p.decoder.InputOffset()-1, fmt.Sprintf("nesting is deeper than %d", maxDepth))
		}
		if kind == '{' {
			return p.parseObject(schema)
		}
		return p.parseArray(schema)
	case '"':
		return p.parseString()
	default:
		raw, err := p.readScalar()
		return node{kind: kinds[kind], raw: raw}, err
	}
}

// kinds maps the kinds of the library, except that of a syntax error.
var kinds = map[jsontext.Kind]jsonKind{'n': kindNull, 't': kindBoolean, 'f': kindBoolean, '0': kindNumber}

func (p *parser) parseObject(schema *contract.Schema) (node, error) {
	n := node{kind: kindObject}
	if schema != nil && schema.Kind == contract.KindObject {
		n.children = make([]node, len(schema.Fields))
	}
	for p.decoder.PeekKind() != '}' {
		key, err := p.parseString()
		if err != nil {
			return node{}, err
		}
		i := -1
		var child *contract.Schema
		if n.children != nil {
			i = schema.Field(key.stringValue())
		}
		if i >= 0 {
			child = schema.Fields[i].Schema
		}
		v, err := p.parseValue(child)
		if err != nil {
			return node{}, err
		}
		if i >= 0 {
			n.children[i] = v
		}
	}
	_, err := p.decoder.ReadToken()
	return n, p.explain(err)
}

func (p *parser) parseArray(schema *contract.Schema) (node, error) {
	n := node{kind: kindArray}
	var item *contract.Schema
	if schema != nil && schema.Kind == contract.KindArray {
		item = schema.Items
	}
	for ; p.decoder.PeekKind() != ']'; n.count++ {
		if item != nil && n.count >= int(*schema.Max) {
			item = nil
		}
		v, err := p.parseValue(item)
		if err != nil {
			return node{}, err
		}
		if item != nil {
			n.children = append(n.children, v)
		}
	}
	_, err := p.decoder.ReadToken()
	return n, p.explain(err)
}

// parseString reads a string without copying it.
func (p *parser) parseString() (node, error) {
	raw, err := p.readScalar()
	if err != nil {
		return node{}, err
	}
	if strings.IndexByte(raw, '\\') >= 0 {
		return node{kind: kindString, raw: raw, escaped: true}, nil
	}
	return node{kind: kindString, raw: raw[1 : len(raw)-1]}, nil
}

// readScalar returns the text of a value other than an object or array, as a slice of the body.
func (p *parser) readScalar() (string, error) {
	value, err := p.decoder.ReadValue()
	if err != nil {
		return "", p.explain(err)
	}
	end := int(p.decoder.InputOffset())
	return p.body[end-len(value) : end], nil
}

// explain returns a syntax error with its line and column.
func (p *parser) explain(err error) error {
	if err == nil {
		return nil
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return p.errorAt(int64(len(p.body)), "the body ends in the middle of a value")
	case !ok:
		return err
	case errors.Is(err, jsontext.ErrDuplicateName):
		return p.errorAt(syntax.ByteOffset, "duplicate key "+quoteShort(syntax.JSONPointer.LastToken()))
	}
	return p.errorAt(syntax.ByteOffset, syntax.Err.Error())
}

// errorAt returns an error that names the place of a byte of the body.
func (p *parser) errorAt(offset int64, what string) error {
	before := p.body[:offset]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("line %d, column %d (byte %d): %s", line, column, p.before+offset, what)
}

// jsonKind is what a value is on the wire.
type jsonKind string

const (
	kindAbsent  jsonKind = ""
	kindNull    jsonKind = "null"
	kindBoolean jsonKind = "a boolean"
	kindNumber  jsonKind = "a number"
	kindString  jsonKind = "a string"
	kindArray   jsonKind = "an array"
	kindObject  jsonKind = "an object"

	// A parameter with a text that is not a value of its kind, and one with a problem
	// already reported.
	kindMismatch jsonKind = "unfitting"
	kindReported jsonKind = "reported"
)

// node is one value as it was sent.
type node struct {
	kind jsonKind
	// raw is the text of a scalar, a slice of the body: nothing is copied.
	raw string
	// escaped means that raw is still a string with escapes, in its quotes.
	escaped bool
	// children holds the fields of an object that the schema knows, index by index as there, or the entries of an
	// array up to its maximum.
	children []node
	// count is the number of entries that an array was sent with.
	count int
}

// stringValue returns the characters of a string. Escapes are resolved once, on
// the first call; most strings have none.
func (n *node) stringValue() string {
	if n.escaped {
		// The parser has accepted it. Nothing else has the bytes, so that a file in base64 is not copied once more.
		unquoted, _ := jsontext.AppendUnquote(make([]byte, 0, len(n.raw)), n.raw)
		n.raw = unsafe.String(unsafe.SliceData(unquoted), len(unquoted))
		n.escaped = false
	}
	return n.raw
}
