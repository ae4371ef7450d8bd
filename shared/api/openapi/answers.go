package openapi

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// specialMedia holds the responses of the routes without an output type.
var specialMedia = map[string]object{
	"docs": {
		"text/html":        object{"schema": object{"type": "string"}},
		"application/json": object{"schema": object{"type": "object"}},
	},
	"docsPage": {
		"text/html": object{"schema": object{"type": "string"}}, "text/css": object{"schema": object{"type": "string"}},
		"text/javascript": object{"schema": object{"type": "string"}}, "application/json": object{"schema": object{}},
	},
	"openapiJSON": {"application/json": object{"schema": object{"type": "object"}}},
	// Tools disagree on whether YAML is data or text.
	"openapiYAML":  {"application/yaml": object{"schema": object{"description": "This document."}}},
	"docsMarkdown": {"text/markdown": object{"schema": object{"type": "string"}}},
	"llms":         {"text/plain": object{"schema": object{"type": "string"}}},
	"changeFeed":   {"application/atom+xml": object{"schema": object{"type": "string"}}},
}

// describeResponses describes each status that a route can respond with.
func (b *builder) describeResponses(r contract.Route, in *contract.Schema) object {
	content := specialMedia[r.Operation]
	if r.Output != nil {
		out := contract.SchemaOf(r.Output)
		content = object{"application/json": object{"schema": b.schemaWriter(true).Of(out), "example": ExampleResponse(r)}}
	}
	done := object{"description": "Done.", "headers": refsTo("headers", successHeaders(r, in)), "content": content}
	if links := describeLinks(links, r.Operation); links != nil {
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

// successHeaders returns the names of the headers of a route's 200.
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

func describeHeaders() object {
	integer := object{"type": "integer", "minimum": 0}
	text := object{"type": "string"}
	header := func(description string, schema object) object {
		return object{"description": description, "schema": schema}
	}
	return object{
		"X-Request-Id": header("The request's id, a UUID, or edge when the edge refused the request; quote it in support requests.",
			object{"type": "string", "pattern": requestIDPattern}),
		"Cache-Control":          header("no-store, except for the reference.", text),
		"ETag":                   header("Identifies the content; send it in If-None-Match.", text),
		"X-Content-Type-Options": header("Always nosniff.", object{"type": "string", "const": "nosniff"}),
		"X-RateLimit-Limit":      header("Requests allowed per key and window in this tier.", integer),
		"X-RateLimit-Remaining":  header("Requests left in the window.", integer),
		"X-RateLimit-Reset":      header("Seconds until the window ends.", integer),
		"RateLimit-Policy":       header("The same limit as a structured field.", text),
		"RateLimit":              header("The remaining requests, as a structured field.", text),
		"Retry-After":            header("Seconds to wait before repeating the request (or polling the batch or the changes again).", integer),
		"WWW-Authenticate":       header("Always Bearer.", object{"type": "string", "const": "Bearer"}),
		"Idempotent-Replayed":    header("true on a replayed response to an earlier request with the same key.", object{"type": "string", "const": "true"}),
		"X-Ignored-Params":       header("Names of unknown query parameters.", text),
		"X-Cursor-Warning":       header("filters-changed: the cursor was issued for other filters.", object{"type": "string", "const": "filters-changed"}),
	}
}
