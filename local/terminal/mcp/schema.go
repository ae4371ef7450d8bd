package mcp

import (
	"fmt"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// idempotencyHeader is set by the tool itself.
const idempotencyHeader = "Idempotency-Key"

// pathArgument takes the place of the content of a file.
const pathArgument = "path"

// inputSchema describes the arguments of a route's tool: its parameters and the fields of its body, in
// one object.
func (d directories) inputSchema(r contract.Route) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, f := range argumentsOf(r) {
		properties[f.Name] = d.describeArgument(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	o := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	if r.Input != nil {
		d.replaceContent(o, contract.SchemaOf(r.Input))
	}
	return o
}

// argumentsOf returns the fields of a route's input that are arguments. Of a body of two forms, it is
// the one with the object. A body repeats the id of the path for clients that send back what they read.
func argumentsOf(r contract.Route) (all []contract.Field) {
	if r.Input == nil {
		return nil
	}
	schema := contract.SchemaOf(r.Input)
	fields := schema.Fields
	if i, wrapped := schema.Forms(); i >= 0 {
		fields = wrapped
	}
	for _, f := range fields {
		known := slices.ContainsFunc(all, func(other contract.Field) bool { return other.Name == f.Name })
		if !known && f.In != contract.InHeader {
			all = append(all, f)
		}
	}
	return all
}

// writer describes objects in full, with paths in place of the content of files, and values with one type
// each: models whose dialect of JSON Schema has no lists of types refuse a tool with one.
func (d directories) writer() contract.JSONSchema {
	j := contract.JSONSchema{NullApart: true}
	j.Object = func(s *contract.Schema) map[string]any {
		o := j.Describe(s)
		d.replaceContent(o, s)
		return o
	}
	return j
}

func (d directories) describeArgument(f contract.Field) map[string]any {
	o := d.writer().Field(f)
	if f.Instead {
		o["description"] = "The new value in full: what is left out is removed."
	}
	if page := f.Schema.Page; page != nil {
		o["minimum"] = 1
		o["default"] = page.Default
		o["description"] = fmt.Sprintf("%s At most %d.", f.Doc, page.Max)
	}
	return o
}

// replaceContent replaces the property with a file's bytes by one with its path.
func (d directories) replaceContent(o map[string]any, s *contract.Schema) {
	properties, _ := o["properties"].(map[string]any)
	required, _ := o["required"].([]string)
	for _, f := range s.Fields {
		if _, ok := properties[f.Name]; !ok || !isContent(f) {
			continue
		}
		delete(properties, f.Name)
		properties[pathArgument] = map[string]any{"type": "string", "description": d.describePath()}
		if i := slices.Index(required, f.Name); i >= 0 {
			required[i] = pathArgument
		}
	}
}

// isContent reports whether a field holds the bytes of a file.
func isContent(f contract.Field) bool { return f.Schema.Encoding == "base64" }
