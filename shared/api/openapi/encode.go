package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/goccy/go-yaml"
)

// JSON returns the document in JSON. It is deterministic.
func JSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(Document())
	return out.Bytes(), err
}

// YAML returns the document in YAML 1.2: the same data, with the parts that readers
// look for first in front.
func YAML() ([]byte, error) {
	raw, err := JSON()
	if err != nil {
		return nil, err
	}
	var document any // JSON is YAML; integers stay integers
	if err := yaml.UnmarshalWithOptions(raw, &document, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	orderForReaders(document)
	return yaml.MarshalWithOptions(document, yaml.UseLiteralStyleIfMultiline(true), yaml.IndentSequence(true))
}

// leadingNames precede the other names of an object, which follow by alphabet.
var leadingNames = []string{
	"openapi", "info", "title", "name", "in", "servers", "tags", "operationId", "summary", "description", "security",
	"type", "required", "parameters", "requestBody", "responses", "paths", "components",
}

// orderForReaders puts the names of every object, which are in the order of the alphabet, into that of the YAML form.
func orderForReaders(v any) {
	switch v := v.(type) {
	case yaml.MapSlice:
		rank := func(item yaml.MapItem) uint {
			// A name that is not listed has rank -1, the largest as an unsigned number.
			return uint(slices.Index(leadingNames, item.Key.(string)))
		}
		slices.SortStableFunc(v, func(a, b yaml.MapItem) int { return cmp.Compare(rank(a), rank(b)) })
		for _, item := range v {
			orderForReaders(item.Value)
		}
	case []any:
		for _, entry := range v {
			orderForReaders(entry)
		}
	}
}
