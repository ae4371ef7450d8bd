package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func (b *builder) describeResponses(r contract.Route, in *contract.Schema) object {
	content := texts.Media[r.Operation]
	if r.Output != nil {
		out := contract.SchemaOf(r.Output)
		content = object{"application/json": object{"schema": b.schemaWriter(true).Of(out), "example": ExampleResponse(r)}}
	}
	done := object{"description": "Done.", "headers": refsTo("headers", successHeaders(r, in)), "content": content}
	if links := describeLinks(texts.Links, r.Operation); len(links) > 0 {
		done["links"] = links
	}
	all := object{"200": done}
	if r.Output == nil {
		all["304"] = object{
			"description": "Not modified: the content has the ETag in If-None-Match.",
			"headers":     refsTo("headers", []string{"ETag", "Cache-Control"}),
		}
	}
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

func successHeaders(r contract.Route, in *contract.Schema) []string {
	names := []string{"Cache-Control", "X-Content-Type-Options", "X-Ignored-Params"}
	if r.Output != nil {
		names = append(names, "X-Request-Id")
	} else {
		names = append(names, "ETag")
	}
	if !r.Public() {
		names = append(names, rateHeaders...)
	}
	if hasParameter(in, contract.InHeader, "Idempotency-Key") {
		names = append(names, "Idempotent-Replayed")
	}
	if slices.ContainsFunc(in.Fields, isTextCursor) {
		names = append(names, "X-Cursor-Warning")
	}
	if r.Operation == "getBatch" || r.Operation == "listChanges" {
		names = append(names, "Retry-After")
	}
	return names
}

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

// link leads from the response of an operation to operations with a parameter that it names, or
// with a field of the resume of an item in the body: a link cannot fill one field of a body.
type link struct {
	From      string
	Parameter string
	// Value is a JSON pointer into the response; of a list, into its first row.
	Value string
	To    []string
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
