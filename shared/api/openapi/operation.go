package openapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func (b *builder) describeOperation(r contract.Route) object {
	in := contract.SchemaOf(r.Input)
	text := "No API key required; not rate-limited per key."
	security := []any{} // the types of key that may call the route, each with all scopes
	if !r.Public() {
		key := "Any key"
		if r.KeyType != contract.AnyKey {
			key = "A key of type " + string(r.KeyType)
		}
		text = fmt.Sprintf("%s with %s. %d requests a minute (tier %s).", key, JoinScopes(r.Scopes), r.Tier.Limit, r.Tier.Name)
		for _, t := range []contract.KeyType{contract.AgencyKey, contract.PersonalKey} {
			if r.KeyType == contract.AnyKey || r.KeyType == t {
				security = append(security, object{string(t) + "Key": contract.ConvertValues[string](r.Scopes)})
			}
		}
	}
	o := object{
		"operationId": r.Operation, "summary": strings.TrimSuffix(r.Summary, "."), "description": r.Summary + "\n\n" + text,
		"tags": []any{Texts.Functions[r.Function].Title}, "security": security, "responses": b.describeResponses(r, in),
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

func (b *builder) describeParameter(r contract.Route, f contract.Field) object {
	p := object{"name": f.Name, "in": string(f.In), "description": f.Doc}
	if f.Required {
		p["required"] = true
	}
	schema := b.schemaWriter(false).Value(f)
	if value := f.Schema.Default; value != "" {
		switch f.Schema.Kind {
		case contract.KindBoolean:
			schema["default"] = value == "true"
		case contract.KindInteger:
			schema["default"] = json.Number(value)
		default:
			schema["default"] = value
		}
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

func (b *builder) describeResponses(r contract.Route, in *contract.Schema) object {
	all := object{}
	headers := []string{"Cache-Control", "X-Content-Type-Options", "X-Ignored-Params"}
	content := Texts.Media[r.Operation]
	if r.Output != nil {
		headers = append(headers, "X-Request-Id")
		out := contract.SchemaOf(r.Output)
		content = object{"application/json": object{"schema": b.schemaWriter(true).Of(out), "example": ExampleResponse(r)}}
	} else {
		headers = append(headers, "ETag")
		all["304"] = Texts.NotModified
	}
	if !r.Public() {
		headers = append(headers, rateHeaders...)
	}
	if hasParameter(in, contract.InHeader, "Idempotency-Key") {
		headers = append(headers, "Idempotent-Replayed")
	}
	if slices.ContainsFunc(in.Fields, isTextCursor) {
		headers = append(headers, "X-Cursor-Warning")
	}
	if r.Operation == "getBatch" || r.Operation == "listChanges" {
		headers = append(headers, "Retry-After")
	}
	done := object{"description": "Done.", "headers": refsTo("headers", headers), "content": content}
	if links := describeLinks(Texts.Links, r.Operation); len(links) > 0 {
		done["links"] = links
	}
	all["200"] = done
	for _, e := range Errors() {
		if name := failureNames[e.Status]; name != "" && canAnswer(e.Status, r, in) {
			all[strconv.Itoa(e.Status)] = refTo("responses", name)
		}
	}
	all["default"] = refTo("responses", otherFailure)
	return all
}

// canAnswer reports whether a route can respond with a status. Every route refuses an
// unreadable query.
func canAnswer(status int, r contract.Route, in *contract.Schema) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return !r.Public()
	case http.StatusNotFound:
		return hasParameter(in, contract.InPath, "")
	case http.StatusRequestEntityTooLarge:
		return in.HasBody()
	case http.StatusConflict:
		return hasParameter(in, contract.InHeader, "Idempotency-Key")
	}
	return true
}

// hasParameter reports whether an input has a parameter of that name in that place;
// an empty name matches any.
func hasParameter(in *contract.Schema, place contract.Binding, name string) bool {
	return slices.ContainsFunc(in.Fields, func(f contract.Field) bool {
		return f.In == place && (name == "" || f.Name == name)
	})
}

var rateHeaders = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"}

// isTextCursor reports whether a field is a cursor that knows the filters it belongs to. Those
// that are numbers do not.
func isTextCursor(f contract.Field) bool {
	return f.Name == "cursor" && f.Schema.Kind == contract.KindString
}

func refsTo(kind string, names []string) object {
	all := object{}
	for _, name := range names {
		all[name] = refTo(kind, name)
	}
	return all
}

// link leads from the response of an operation to others; texts.yaml says how.
type link struct {
	From, Parameter, Value string
	To                     []string
}

func describeLinks(rows []link, operation string) object {
	all := object{}
	for _, l := range rows {
		if l.From != operation {
			continue
		}
		for _, to := range l.To {
			described := object{"operationId": to}
			target := fmt.Sprintf("`resume.%s` of an item of %s", l.Value[1:], to)
			if l.Parameter != "" {
				target = fmt.Sprintf("`%s` of %s", l.Parameter, to)
				described["parameters"] = object{l.Parameter: "$response.body#" + l.Value}
			}
			described["description"] = fmt.Sprintf("`%s` of the response is the %s.", l.Value[1:], target)
			all[to] = described
		}
	}
	return all
}
