// Package openapi writes the API's OpenAPI 3.1 document from the routes of package
// contract: parameters, bodies, responses, errors, scopes, limits, headers and
// enumerations. It adds what those data lack, once for the document and the reference:
// titles, advice and the changelog (texts.yaml), and the values of examples (examples.json).
//
// It knows nothing of HTTP or of who serves the document: functions/platform
// embeds the bytes that its command reference writes, and a test fails while they
// differ from the contract. The end-to-end tests compare every response with it
// (package local/testkit/conform).
//
// In a response an enumeration is "x-extensible-enum": today's values, to which
// others may be added. Only error.type is closed.
package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// object is a JSON object.
type object = map[string]any

// Document returns the whole document, of maps, slices and scalars only.
func Document() map[string]any {
	b := &builder{schemas: object{}, sentTypes: map[string]bool{}}
	paths := object{}
	for _, r := range contract.Routes {
		item, ok := paths[r.Path].(object)
		if !ok {
			item = object{}
			paths[r.Path] = item
		}
		item[strings.ToLower(r.Method)] = b.describeOperation(r)
	}
	var tags []any
	isTagged := map[contract.Function]bool{}
	for _, r := range contract.Routes {
		if !isTagged[r.Function] {
			isTagged[r.Function] = true
			tags = append(tags, object{"name": Texts.Functions[r.Function].Title, "description": Texts.Functions[r.Function].Purpose})
		}
	}
	info := maps.Clone(Texts.Info)
	info["version"] = Texts.Changes[0].Version
	return object{
		"openapi":           "3.1.0",
		"info":              info,
		"jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
		"servers": []any{object{"url": contract.ExampleURL + contract.BasePath,
			"description": "The deployment that serves this document."}},
		"tags":  tags,
		"paths": paths,
		"components": object{
			"securitySchemes": Texts.SecuritySchemes,
			"headers":         Texts.Headers,
			"responses":       b.describeFailures(),
			"schemas":         b.schemas,
		},
	}
}

// JoinScopes returns scopes, of which there is at least one, as code in Markdown.
func JoinScopes(scopes []contract.Scope) string {
	return "`" + strings.Join(contract.ConvertValues[string](scopes), "`, `") + "`"
}

// builder collects the types that operations refer to.
type builder struct {
	schemas object
	// sentTypes records of each type whether it is sent (true) or accepted.
	sentTypes map[string]bool
}

// schemaWriter returns a description of types in one direction; named objects and enumerations become
// components: RoleType is the closed enumeration that is accepted, RoleTypeValue the one that is sent and may grow.
func (b *builder) schemaWriter(answer bool) contract.JSONSchema {
	j := contract.JSONSchema{Response: answer}
	j.Object = func(s *contract.Schema) object {
		sent, known := b.sentTypes[s.Name]
		if known && sent != answer {
			panic("openapi: " + s.Name + " is both sent and taken in; its rules differ, so make it two types")
		}
		if !known {
			b.sentTypes[s.Name] = answer
			b.schemas[s.Name] = j.Describe(s)
		}
		return refTo("schemas", s.Name)
	}
	j.Enum = func(e *contract.Enum) object {
		name := strings.ToUpper(e.Name[:1]) + e.Name[1:]
		if answer {
			name += "Value"
		}
		b.schemas[name] = j.DescribeEnum(e)
		return refTo("schemas", name)
	}
	return j
}

func refTo(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

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
