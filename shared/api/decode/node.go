package decode

import (
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

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

// node is one value as it was sent. The tree holds only what the schema knows:
// an object's fields beside the schema's, an array's entries up to its maximum.
// So a hostile body cannot grow into a larger tree.
type node struct {
	kind jsonKind
	// raw is the text of a scalar, a slice of the body: nothing is copied.
	raw string
	// escaped means that raw is still a string with escapes, in its quotes.
	escaped bool
	// children holds the fields of an object, index by index as in its schema, or
	// the entries of an array.
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
