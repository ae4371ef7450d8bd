package contract

import (
	"reflect"
	"slices"
	"sync"
)

// Kind is the JSON type of a value.
type Kind string

// The kinds.
const (
	KindString  Kind = "string"
	KindInteger Kind = "integer"
	KindNumber  Kind = "number"
	KindBoolean Kind = "boolean"
	KindArray   Kind = "array"
	KindObject  Kind = "object"
)

// Binding is where a field of an input binds.
type Binding string

// The bindings. Every field below the top level of an input is InBody.
const (
	InBody   Binding = "body"
	InPath   Binding = "path"
	InQuery  Binding = "query"
	InHeader Binding = "header"
)

// Schema is what a value must be, as data: the base of both validation and the
// reference. It must not be changed.
type Schema struct {
	Kind Kind
	// Name is the name of an object's Go type; empty for any other value and for an
	// unnamed type.
	Name string
	// Min and Max bound the characters of a string, the entries of an array or
	// the value of a number; nil means no bound.
	Min, Max *int64
	// Range bounds the value of a number where the bounds are not integers; nil means
	// no bound.
	Range *[2]float64
	// Nonblank refuses a string of white space only.
	Nonblank bool
	// Enum holds the accepted strings; nil means any.
	Enum *Enum
	// Format is one of Formats, or empty.
	Format string
	// Encoding is how a string holds bytes, "base64", or empty. The handler decodes it.
	Encoding string
	// Const is the only accepted string or boolean, as text; empty means any.
	Const string
	// Default is what counts when the value is not sent, as JSON; empty if nothing does. The handler
	// applies it.
	Default string
	// Page marks an integer as the size of a page; nil for any other value.
	Page *PageLimit
	// Items is the schema of every entry of an array.
	Items *Schema
	// Fields are those of an object, in the order of the struct.
	Fields []Field
}

// PageLimit is the size of a page when none is asked for, and the largest.
type PageLimit struct{ Default, Max int64 }

// Field is one named value of an object, or one parameter of a request.
type Field struct {
	Name               string
	In                 Binding
	Required, Nullable bool
	// Instead marks an object that may be sent in place of the fields that it contains.
	Instead bool
	// Pointer and Omitted describe a response: the value can be null, or is absent
	// until it is set.
	Pointer, Omitted bool
	// Doc is the field's sentence in the reference.
	Doc    string
	Schema *Schema
	// Index is the path to the struct's field, as in [reflect.Value.FieldByIndex].
	Index []int
}

// Formats holds the names that "format=" accepts.
var Formats = []string{"uuid", "uri", "link", "email", "linkedin", "printable", "line", "text", "id", "date-time"}

// LinkSchemes holds the schemes that a link may have, in lower case.
var LinkSchemes = []string{"http", "https", "ftp", "ftps", "mailto", "tel", "sip", "zoommtg", "msteams"}

// MaxEntries bounds the entries of an array with no maximum in its tag.
const MaxEntries = 100

// Field returns the position in Fields of the object's body field of that exact
// name; -1 if there is none.
func (s *Schema) Field(name string) int {
	for i := range s.Fields { // without a copy of each field
		if s.Fields[i].Name == name && s.Fields[i].In == InBody {
			return i
		}
	}
	return -1
}

// Instead returns, of an input with an object that may be sent in place of other fields, the position of the object;
// -1 for an input of one form.
func (s *Schema) Instead() int {
	instead := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Instead })
	if instead < 0 {
		return -1
	}
	object := s.Fields[instead].Schema
	for _, f := range s.Fields {
		if f.In == InBody && object.Field(f.Name) >= 0 {
			return instead
		}
	}
	return -1
}

// Forms returns, of an input with an object that may be sent in place of other fields, the position of the
// object, and the fields of the form with it: all but those that the object contains. It returns -1 for an input
// of one form.
func (s *Schema) Forms() (instead int, wrapped []Field) {
	instead = s.Instead()
	if instead < 0 {
		return -1, nil
	}
	object := s.Fields[instead].Schema
	for _, f := range s.Fields {
		if f.In != InBody || object.Field(f.Name) < 0 {
			f.Required = f.Required || f.Instead
			wrapped = append(wrapped, f)
		}
	}
	return instead, wrapped
}

// Element returns the schema of the entries of an array, and the schema itself for any other value.
func (s *Schema) Element() *Schema {
	if s.Kind == KindArray {
		return s.Items
	}
	return s
}

// HasBody reports whether an input has fields in a JSON body.
func (s *Schema) HasBody() bool {
	return slices.ContainsFunc(s.Fields, func(f Field) bool { return f.In == InBody })
}

var schemas sync.Map // reflect.Type → *Schema

// SchemaOf returns the schema of a wire type, as its tags state it; that of nil has
// no fields. A schema is built on first use, because most invocations need only one
// operation. SchemaOf panics on a tag outside the package's grammar.
func SchemaOf(t reflect.Type) *Schema {
	if t == nil {
		return &Schema{Kind: KindObject}
	}
	if s, ok := schemas.Load(t); ok {
		return s.(*Schema)
	}
	s, _ := schemas.LoadOrStore(t, typeSchema(t))
	return s.(*Schema)
}
