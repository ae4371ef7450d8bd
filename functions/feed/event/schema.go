package event

import (
	"encoding/json"
	"reflect"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// jsonObject is a JSON object with its keys in a fixed order of encoding/json.
type jsonObject map[string]any

// Schema is the JSON Schema (2020-12) of a kind's events.
func (k Kind) Schema() ([]byte, error) {
	s := contract.JSONSchema{}.Of(contract.SchemaOf(reflect.TypeFor[Envelope]()))
	properties := s["properties"].(map[string]any)
	properties["type"] = jsonObject{"const": k.Name, "description": "What happened."}
	if k.Data == nil {
		delete(properties, "dataRef")
	} else {
		properties["data"] = contract.JSONSchema{}.Of(contract.SchemaOf(k.Data))
		s["oneOf"] = []jsonObject{{"required": []string{"data"}}, {"required": []string{"dataRef"}}}
	}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = k.Name
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}
