package contract

import "strings"

// JSONSchema describes schemas as JSON Schema (2020-12).
type JSONSchema struct {
	// Response describes the values sent instead of those accepted: see the package
	// comment. Enumerations are then named "x-extensible-enum", because clients must
	// accept values that are added later.
	Response bool
	// NullApart describes null as an alternative of its own, for programs that know one type of a value alone.
	NullApart bool
	// Object, if set, replaces the description of an object that has a Name, for
	// example by a reference; Describe returns the description itself.
	Object func(*Schema) map[string]any
	// Enum, if set, replaces the description of an enumeration, for example by a
	// reference; DescribeEnum returns the description itself.
	Enum func(*Enum) map[string]any
}

// Of returns the description of a value.
func (j JSONSchema) Of(s *Schema) map[string]any {
	if s.Kind == KindObject && s.Name != "" && j.Object != nil {
		return j.Object(s)
	}
	return j.Describe(s)
}

// Describe is [JSONSchema.Of] but ignores Object for the value itself.
func (j JSONSchema) Describe(s *Schema) map[string]any {
	o := map[string]any{"type": string(s.Kind)}
	if !j.Response || s.Kind == KindInteger {
		addBounds(o, s)
	}
	if s.Kind == KindInteger {
		o["format"] = "int64" // the range of the decoder
	}
	if s.Encoding != "" {
		o["contentEncoding"] = s.Encoding
	}
	switch {
	case s.Enum != nil && j.Enum != nil:
		return j.Enum(s.Enum)
	case s.Enum != nil:
		return j.DescribeEnum(s.Enum)
	case s.Const != "" && s.Kind == KindString:
		o["const"] = s.Const
	case s.Const != "" && !j.Response:
		// Of a boolean, "not false" allows true alone, as const true does. Of const and enum one generator
		// makes code that does not compile; of not all make a boolean.
		o["not"] = map[string]any{"const": s.Const != "true"}
	}
	if s.Items != nil {
		o["items"] = j.Of(s.Items)
	}
	for name, value := range jsonFormats[s.Format] {
		o[name] = value
	}
	if s.Nonblank && !j.Response {
		o["pattern"] = `\S` // in place of a format's: there can be one
	}
	if i, fields := s.Forms(); i >= 0 {
		object := s.Fields[i].Schema
		wrapped := &Schema{Kind: KindObject, Name: "Wrapped" + object.Name, Fields: fields}
		return map[string]any{"oneOf": []any{j.Of(object), j.Of(wrapped)}}
	}
	if s.Kind == KindObject {
		j.addFields(o, s.Fields)
	}
	return o
}

// DescribeEnum returns the description of an enumeration.
func (j JSONSchema) DescribeEnum(e *Enum) map[string]any {
	if j.Response {
		return map[string]any{"type": string(KindString), "x-extensible-enum": e.Values, "description": strings.TrimSpace(KnownValues(e.Values))}
	}
	return map[string]any{"type": string(KindString), "enum": e.Values}
}

// boundNames holds the keywords for the least and the greatest of each kind that has bounds.
var boundNames = map[Kind][2]string{
	KindString: {"minLength", "maxLength"}, KindArray: {"minItems", "maxItems"},
	KindInteger: {"minimum", "maximum"}, KindNumber: {"minimum", "maximum"},
}

func addBounds(o map[string]any, s *Schema) {
	names := boundNames[s.Kind]
	if s.Min != nil {
		o[names[0]] = *s.Min
	}
	if s.Max != nil {
		o[names[1]] = *s.Max
	}
	if s.Range != nil {
		o[names[0]] = s.Range[0]
		o[names[1]] = s.Range[1]
	}
}

// jsonFormats maps Formats to the keywords of JSON Schema.
var jsonFormats = map[string]map[string]any{
	"uuid":      {"format": "uuid"},
	"uri":       {"format": "uri"},
	"link":      {"format": "uri", "pattern": schemePattern(LinkSchemes)},
	"email":     {"format": "email"},
	"linkedin":  {"format": "uri", "description": "A LinkedIn profile URL."},
	"printable": {"pattern": "^[ -~]*$"},
	"line":      {"pattern": `^[^\x00-\x1f\x7f-\x9f]*$`},
	"text":      {"pattern": `^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`},
	"id":        {"pattern": "^[!-\"$-.0-{}~]{1,128}$"},
	"date-time": {"format": "date-time"},
}

// schemePattern returns a regular expression of URIs with one of the schemes, in either case.
func schemePattern(schemes []string) string {
	pattern := strings.Join(schemes, "|")
	for letter := 'a'; letter <= 'z'; letter++ {
		pattern = strings.ReplaceAll(pattern, string(letter), "["+strings.ToUpper(string(letter))+string(letter)+"]")
	}
	return "^(" + pattern + "):"
}

func (j JSONSchema) addFields(o map[string]any, fields []Field) {
	properties := map[string]any{}
	required := []string{}
	for _, f := range fields {
		if f.In != InBody {
			continue
		}
		isRequired := f.Required
		if j.Response {
			isRequired = !f.Omitted
		}
		if isRequired {
			required = append(required, f.Name)
		}
		properties[f.Name] = j.Field(f)
	}
	o["properties"] = properties
	if len(required) > 0 {
		o["required"] = required
	}
}

// Field returns the description of a field's value: its schema, its sentence, and
// null where that is allowed.
func (j JSONSchema) Field(f Field) map[string]any {
	p := j.Value(f)
	if f.Doc != "" {
		p["description"] = f.Doc
	}
	return p
}

// Value is [JSONSchema.Field] without the sentence.
func (j JSONSchema) Value(f Field) map[string]any {
	isNullable := f.Nullable
	if j.Response {
		isNullable = f.Pointer
	}
	p := j.Of(f.Schema)
	if !isNullable {
		return p
	}
	kind, isDescribed := p["type"].(string)
	if !isDescribed || j.NullApart { // a mere reference becomes one of two alternatives
		return map[string]any{"anyOf": []any{p, map[string]any{"type": "null"}}}
	}
	p["type"] = []string{kind, "null"}
	if values, closed := p["enum"].([]string); closed {
		all := make([]any, len(values), len(values)+1)
		for i, v := range values {
			all[i] = v
		}
		p["enum"] = append(all, nil)
	}
	return p
}

// KnownValues returns a sentence with the values of an enumeration that may grow, for
// tools that do not know "x-extensible-enum". It begins with a space.
func KnownValues(values []string) string { return " So far: " + strings.Join(values, ", ") + "." }
