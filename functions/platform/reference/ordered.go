package main

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// marshalOrdered returns the JSON of a value of a schema, its fields in the order of the schema.
func marshalOrdered(s *contract.Schema, value any, options ...jsontext.Options) (string, error) {
	var out bytes.Buffer
	err := writeOrdered(jsontext.NewEncoder(&out, options...), s, value)
	return string(bytes.TrimSpace(out.Bytes())), err
}

func writeOrdered(out *jsontext.Encoder, s *contract.Schema, value any) error {
	switch v := value.(type) {
	case map[string]any:
		err := out.WriteToken(jsontext.BeginObject)
		for _, f := range s.Fields {
			if value, ok := v[f.Name]; ok && f.In == contract.InBody {
				err = errors.Join(err, out.WriteToken(jsontext.String(f.Name)), writeOrdered(out, f.Schema, value))
			}
		}
		return errors.Join(err, out.WriteToken(jsontext.EndObject))
	case []any:
		err := out.WriteToken(jsontext.BeginArray)
		for _, entry := range v {
			err = errors.Join(err, writeOrdered(out, s.Items, entry))
		}
		return errors.Join(err, out.WriteToken(jsontext.EndArray))
	}
	return json.MarshalEncode(out, value)
}
