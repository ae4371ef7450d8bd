package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
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
	var document any
	if err := yaml.Unmarshal(raw, &document); err != nil { // JSON is YAML; integers stay integers
		return nil, err
	}
	return yaml.MarshalWithOptions(orderForReaders(document), yaml.UseLiteralStyleIfMultiline(true), yaml.IndentSequence(true))
}

// leadingNames precede the other names of an object, which follow by alphabet.
var leadingNames = []string{
	"openapi", "info", "title", "name", "in", "servers", "tags", "operationId", "summary", "description", "security",
	"type", "required", "parameters", "requestBody", "responses", "paths", "components",
}

// orderForReaders puts the names of every object into the order of the YAML form.
func orderForReaders(v any) any {
	switch v := v.(type) {
	case map[string]any:
		rank := func(name string) int { return slices.Index(leadingNames, name) }
		var ordered yaml.MapSlice
		for _, name := range slices.Sorted(maps.Keys(v)) {
			ordered = append(ordered, yaml.MapItem{Key: name, Value: orderForReaders(v[name])})
		}
		slices.SortStableFunc(ordered, func(a, b yaml.MapItem) int {
			// A name that is not listed has rank -1, the largest as an unsigned number.
			return cmp.Compare(uint(rank(a.Key.(string))), uint(rank(b.Key.(string))))
		})
		return ordered
	case []any:
		ordered := make([]any, len(v))
		for i, entry := range v {
			ordered[i] = orderForReaders(entry)
		}
		return ordered
	}
	return v
}
