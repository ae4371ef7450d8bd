package contract

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
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
	if !slices.ContainsFunc(s.Fields, func(f Field) bool { return f.In == InBody && object.Field(f.Name) >= 0 }) {
		return -1
	}
	return instead
}

// Forms returns what [Schema.Instead] does, and the fields of the form with the object: all but those that it contains.
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

// typeSchema returns the schema of a Go type, without the constraints of the field
// that holds it.
func typeSchema(t reflect.Type) *Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[Time]() {
		return &Schema{Kind: KindString, Format: "date-time"}
	}
	switch t.Kind() {
	case reflect.String:
		return &Schema{Kind: KindString}
	case reflect.Int, reflect.Int64:
		return &Schema{Kind: KindInteger}
	case reflect.Float64:
		return &Schema{Kind: KindNumber}
	case reflect.Bool:
		return &Schema{Kind: KindBoolean}
	case reflect.Slice:
		return &Schema{Kind: KindArray, Items: typeSchema(t.Elem())}
	case reflect.Struct:
		s := &Schema{Kind: KindObject, Name: t.Name()}
		for f := range t.Fields() {
			if !f.Anonymous || f.Type.Kind() != reflect.Struct {
				s.Fields = append(s.Fields, fieldOf(t, f))
				continue
			}
			for _, inner := range typeSchema(f.Type).Fields { // which JSON has beside the others
				inner.Index = slices.Concat(f.Index, inner.Index)
				s.Fields = append(s.Fields, inner)
			}
		}
		return s
	}
	panic(fmt.Sprintf("contract: %v cannot be on the wire", t))
}

func fieldOf(t reflect.Type, f reflect.StructField) Field {
	field := Field{Doc: f.Tag.Get("doc"), Schema: typeSchema(f.Type), Index: f.Index}
	names := 0
	for tag, place := range map[string]Binding{"json": InBody, "path": InPath, "query": InQuery, "header": InHeader} {
		if v, ok := f.Tag.Lookup(tag); ok && v != "-" { // fields outside the body are "-" to encoding/json
			field.Name, _, _ = strings.Cut(v, ",")
			field.In = place
			names++
		}
	}
	if names != 1 || field.Name == "" {
		panic(fmt.Sprintf("contract: %v.%s needs exactly one name", t, f.Name))
	}
	field.Omitted = strings.Contains(f.Tag.Get("json"), ",omit")
	field.Pointer = f.Type.Kind() == reflect.Pointer && !field.Omitted
	if field.Schema.Kind == KindArray {
		field.Schema.Max = new(int64(MaxEntries))
	}
	if field.In == InQuery && f.Type.Kind() == reflect.Bool {
		field.Schema.Default = "false"
	}
	check, ok := f.Tag.Lookup("check")
	if !ok {
		return field
	}
	for rule := range strings.SplitSeq(check, ",") {
		if !field.applyRule(rule) {
			panic(fmt.Sprintf("contract: %v.%s: %q is not a rule for the type %s; see the package comment", t, f.Name, rule, field.Schema.Kind))
		}
	}
	if field.Schema.Page != nil && f.Type.Kind() == reflect.Pointer {
		panic(fmt.Sprintf("contract: %v.%s: a page size is always set; make it no pointer", t, f.Name))
	}
	return field
}

// applyRule applies one rule of a "check" tag to the field. It reports whether there is such a rule for
// the kind of value.
func (f *Field) applyRule(rule string) bool {
	name, value, _ := strings.Cut(rule, "=")
	s := f.Schema
	each := s.Element() // the rules about a value hold for each entry of an array
	switch name {
	case "required":
		f.Required = true
	case "nullable":
		f.Nullable = true
	case "instead":
		f.Instead = true
	case "nonblank":
		each.Nonblank = true
	case "default":
		s.Default = value
	case "min":
		s.Min = parseBound(s, value)
		return s.Min != nil
	case "max":
		s.Max = parseBound(s, value)
		return s.Max != nil
	case "range":
		pair, ok := parsePair(value, "..", func(text string) (float64, error) { return strconv.ParseFloat(text, 64) })
		s.Range = &pair
		return ok && s.Kind == KindNumber
	case "enum":
		each.Enum = EnumByName(value)
		return each.Enum != nil && each.Kind == KindString
	case "format":
		each.Format = value
		return slices.Contains(Formats, value) && each.Kind == KindString
	case "encoding":
		s.Encoding = value
		return value == "base64" && s.Kind == KindString
	case "const":
		s.Const = value
		isBoolean := value == "true" || value == "false"
		return isBoolean && s.Kind == KindBoolean || value != "" && s.Kind == KindString
	case "limit":
		pair, ok := parsePair(value, "/", func(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) })
		s.Page = &PageLimit{Default: pair[0], Max: pair[1]}
		return ok && pair[0] >= 1 && s.Kind == KindInteger
	default:
		return false
	}
	return true
}

// parseBound returns nil for a text that is no integer, and for a kind that has no bounds.
func parseBound(s *Schema, value string) *int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || s.Kind == KindBoolean || s.Kind == KindObject {
		return nil
	}
	return &n
}

// parsePair reads two numbers, of which the first is not above the second.
func parsePair[N int64 | float64](value, separator string, parse func(string) (N, error)) (pair [2]N, ok bool) {
	first, second, _ := strings.Cut(value, separator)
	least, err1 := parse(first)
	most, err2 := parse(second)
	return [2]N{least, most}, err1 == nil && err2 == nil && least <= most
}
