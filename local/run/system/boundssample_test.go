package system_test

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo"
)

// resolve follows a reference.
func (b *boundsTest) resolve(schema any) map[string]any {
	s := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		var at any = b.document
		for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[name]
		}
		return b.resolve(at)
	}
	return s
}

// listForms returns the alternatives of a schema, apart from null.
func (b *boundsTest) listForms(schema any) (forms []any) {
	s := b.resolve(schema)
	alternatives, _ := s["oneOf"].([]any)
	if or, ok := s["anyOf"].([]any); ok {
		alternatives = or
	}
	if alternatives == nil {
		return []any{s}
	}
	for _, a := range alternatives {
		if b.resolve(a)["type"] != "null" {
			forms = append(forms, b.listForms(a)...)
		}
	}
	return forms
}

// namedSamples are values that the document's keywords do not describe.
var namedSamples = map[string]any{
	"recruiterEmail": demo.MemberEmail, "linkedinUrl": "https://www.linkedin.com/in/ada-example", "contentBase64": "QWRhIEV4YW1wbGUsIHNlbmlvciBzb2Z0d2FyZSBlbmdpbmVlcgo=",
}

// sampleOf returns a value that fits the schema, with the fields that are required.
func (b *boundsTest) sampleOf(schema any, name string) any {
	s := b.resolve(b.listForms(schema)[0])
	if v, ok := namedSamples[name]; ok {
		return v
	}
	if values, ok := s["enum"].([]any); ok {
		return values[0]
	}
	switch typeOfSchema(s) {
	case "object":
		o := map[string]any{}
		required, _ := s["required"].([]any)
		for _, field := range required {
			o[field.(string)] = b.sampleOf(s["properties"].(map[string]any)[field.(string)], field.(string))
		}
		return o
	case "array":
		return []any{b.sampleOf(s["items"], name)}
	case "boolean":
		return true
	case "integer", "number":
		return 1.0
	}
	return sampleText(s, 8)
}

// typeOfSchema returns the type of a schema, apart from null.
func typeOfSchema(s map[string]any) string {
	if types, ok := s["type"].([]any); ok {
		return types[0].(string)
	}
	kind, _ := s["type"].(string)
	return kind
}

// sampleText returns a text of that length, or of one that the format needs.
func sampleText(s map[string]any, length int) string {
	pad := func(before, after string) string {
		return before + strings.Repeat("a", max(1, length-len(before)-len(after))) + after
	}
	switch s["format"] {
	case "uuid":
		return "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"
	case "email":
		return pad("", "@example.com")
	case "uri":
		return pad("https://www.linkedin.com/in/", "")
	}
	return pad("", "")
}
