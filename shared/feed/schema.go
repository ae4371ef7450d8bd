package feed

import (
	"encoding/json"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// object is a JSON object with its keys in a fixed order of encoding/json.
type object map[string]any

// Schema is the JSON Schema (2020-12) of a kind's events.
func (k Kind) Schema() ([]byte, error) {
	s := schemaOf(contract.SchemaOf(reflect.TypeFor[Envelope]()))
	properties := s["properties"].(object)
	properties["type"] = object{"const": k.Name, "description": "What happened."}
	if k.Data == nil {
		delete(properties, "dataRef")
	} else {
		properties["data"] = schemaOf(contract.SchemaOf(k.Data))
		s["oneOf"] = []object{{"required": []string{"data"}}, {"required": []string{"dataRef"}}}
	}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = k.Name
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

// schemaOf says in JSON Schema what the walk of package decode checks.
func schemaOf(s *contract.Schema) object {
	o := object{"type": string(s.Kind)}
	least, most := map[contract.Kind]string{"string": "minLength", "array": "minItems"}[s.Kind], map[contract.Kind]string{"string": "maxLength", "array": "maxItems"}[s.Kind]
	if least == "" {
		least, most = "minimum", "maximum"
	}
	if s.Min != nil {
		o[least] = *s.Min
	}
	if s.Max != nil {
		o[most] = *s.Max
	}
	if s.Enum != nil {
		o["enum"] = s.Enum.Values
	}
	if s.Const != "" {
		o["const"] = s.Const
	}
	if s.Items != nil {
		o["items"] = schemaOf(s.Items)
	}
	if f := formats[s.Format]; f != nil {
		for name, value := range f {
			o[name] = value
		}
	}
	if s.Kind == contract.KindObject {
		addFields(o, s.Fields)
	}
	return o
}

// formats are those of package decode in JSON Schema's words.
var formats = map[string]object{
	"uuid":      {"format": "uuid"},
	"uri":       {"format": "uri"},
	"email":     {"format": "email"},
	"linkedin":  {"format": "uri", "description": "A LinkedIn profile URL."},
	"printable": {"pattern": "^[ -~]*$"},
	"id":        {"pattern": "^[!-\"$-.0-{}~]{1,128}$"},
	"date-time": {"format": "date-time"},
}

func addFields(o object, fields []contract.Field) {
	properties, required := object{}, []string{}
	for _, f := range fields {
		p := schemaOf(f.Schema)
		if f.Doc != "" {
			p["description"] = f.Doc
		}
		if f.Nullable {
			p = nullable(p)
		}
		if f.Required {
			required = append(required, f.Name)
		}
		properties[f.Name] = p
	}
	o["properties"] = properties
	if len(required) > 0 {
		o["required"] = required
	}
}

func nullable(p object) object {
	p["type"] = []string{p["type"].(string), "null"}
	if values, ok := p["enum"].([]string); ok {
		all := []any{}
		for _, v := range values {
			all = append(all, v)
		}
		p["enum"] = append(all, nil)
	}
	return p
}
