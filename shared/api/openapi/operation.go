package openapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func (b *builder) describeOperation(r contract.Route) object {
	in := contract.SchemaOf(r.Input)
	o := object{
		"operationId": r.Operation, "summary": strings.TrimSuffix(r.Summary, "."), "description": operationText(r),
		"tags": []any{Title(r.Function)}, "security": listSecurity(r), "responses": b.describeResponses(r, in),
	}
	if r.Tier.Name != "" {
		o["x-rate-limit"] = object{"tier": r.Tier.Name, "requests": r.Tier.Limit, "windowSeconds": contract.WindowSeconds}
	}
	var parameters []any
	for _, f := range in.Fields {
		if f.In != contract.InBody && f.Name != "Accept" { // the content types of the response describe it
			parameters = append(parameters, b.describeParameter(r, f))
		}
	}
	if parameters != nil {
		o["parameters"] = parameters
	}
	if body := ExampleRequest(r).Body; body != nil {
		o["requestBody"] = object{"required": true, "content": object{"application/json": object{
			"schema": b.describeBody(r, in), "example": body,
		}}}
	}
	return o
}

// describeBody returns the schema of a request's body. A body of two forms has a third one, which no value fits: the
// type in which the response returns the object. It lets typed callers send what they have read, as types of
// responses are open to new values.
func (b *builder) describeBody(r contract.Route, in *contract.Schema) object {
	body := b.schemaWriter(false).Of(in)
	i := in.Instead()
	if i < 0 {
		return body
	}
	out := contract.SchemaOf(r.Output)
	returned := out.Fields[out.Field(in.Fields[i].Name)].Schema
	forms := b.schemas[in.Name].(object)
	const text = "Only a type, for callers that send what a GET returned: the values must be those of the first form."
	forms["oneOf"] = append(forms["oneOf"].([]any), object{
		"allOf": []any{b.schemaWriter(true).Of(returned)}, "not": object{}, "description": text,
	})
	return body
}

func operationText(r contract.Route) string {
	if r.Public() {
		return r.Summary + "\n\nNo API key required; not rate-limited per key."
	}
	key := "Any key"
	if r.KeyType != contract.AnyKey {
		key = "A key of type " + string(r.KeyType)
	}
	return fmt.Sprintf("%s\n\n%s with %s. %d requests a minute (tier %s).", r.Summary, key, JoinScopes(r.Scopes), r.Tier.Limit, r.Tier.Name)
}

// listSecurity lists the types of key that may call the route, each with all scopes.
func listSecurity(r contract.Route) []any {
	all := []any{}
	for _, t := range []contract.KeyType{contract.AgencyKey, contract.PersonalKey} {
		if !r.Public() && (r.KeyType == contract.AnyKey || r.KeyType == t) {
			all = append(all, object{string(t) + "Key": contract.ConvertValues[string](r.Scopes)})
		}
	}
	return all
}

func (b *builder) describeParameter(r contract.Route, f contract.Field) object {
	p := object{"name": f.Name, "in": string(f.In), "description": f.Doc}
	if f.Required {
		p["required"] = true
	}
	schema := b.schemaWriter(false).Value(f)
	if f.Schema.Default != "" {
		schema["default"] = defaultValue(f.Schema)
	}
	if page := f.Schema.Page; page != nil {
		schema["minimum"] = 1
		schema["default"] = page.Default
		if r.KeyType == contract.AgencyKey {
			schema["maximum"] = page.Max
		} else {
			p["description"] = fmt.Sprintf("%s Above %d it is lowered to %d.", f.Doc, page.Max, page.Max)
		}
	}
	p["schema"] = schema
	return p
}

func defaultValue(s *contract.Schema) any {
	switch s.Kind {
	case contract.KindBoolean:
		return s.Default == "true"
	case contract.KindInteger:
		return json.Number(s.Default)
	}
	return s.Default
}
