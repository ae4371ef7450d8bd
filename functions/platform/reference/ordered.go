package main

import (
	"bytes"
	"encoding/json"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// marshalOrdered returns the JSON of a value of a schema, its fields in the order of the schema.
func marshalOrdered(s *contract.Schema, value any) ([]byte, error) {
	var out bytes.Buffer
	err := writeOrdered(&out, s, value)
	return out.Bytes(), err
}

func writeOrdered(out *bytes.Buffer, s *contract.Schema, value any) error {
	switch v := value.(type) {
	case map[string]any:
		return writeObject(out, s, v)
	case []any:
		return writeArray(out, s.Items, v)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	out.Truncate(len(bytes.TrimRight(out.Bytes(), "\n")))
	return err
}

func writeObject(out *bytes.Buffer, s *contract.Schema, values map[string]any) error {
	out.WriteByte('{')
	first := true
	for _, f := range s.Fields {
		value, ok := values[f.Name]
		if !ok || f.In != contract.InBody {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteString(`"` + f.Name + `":`)
		if err := writeOrdered(out, f.Schema, value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeArray(out *bytes.Buffer, items *contract.Schema, values []any) error {
	out.WriteByte('[')
	for i, value := range values {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeOrdered(out, items, value); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

// indentOrdered returns the JSON of marshalOrdered as people read it.
func indentOrdered(s *contract.Schema, value any) (string, error) {
	flat, err := marshalOrdered(s, value)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = json.Indent(&out, flat, "", "  ")
	return out.String(), err
}
