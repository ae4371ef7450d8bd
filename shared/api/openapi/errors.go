package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Error is a row of the table of errors (contract, Errors).
type Error struct {
	// Kind is one of fault.Kinds, or one of the statuses that need have no envelope, without a Type.
	*fault.Kind
	// Codes are the published error.codes of the status, by name.
	Codes []Code
}

// Code is a published error.code, when it comes and what to do about it.
type Code struct {
	Code         contract.Code
	When, Advice string
}

// Errors returns every error status there is, in order.
func Errors() []Error {
	var all []Error
	for _, kind := range slices.Concat(fault.Kinds, Texts.TooLarge) {
		e := Error{Kind: kind}
		for _, c := range slices.Sorted(maps.Keys(contract.Codes)) {
			if contract.Codes[c] == kind.Status {
				e.Codes = append(e.Codes, Code{c, Texts.Codes[c].When, Texts.Codes[c].Advice})
			}
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Error) int { return cmp.Compare(a.Status, b.Status) })
	return all
}

// RouteErrors returns the errors that a route can respond with, each with those of its codes that
// the route can have.
func RouteErrors(r contract.Route) []Error {
	in := contract.SchemaOf(r.Input)
	var all []Error
	for _, e := range Errors() {
		if !canAnswer(e.Status, r, in) {
			continue
		}
		e.Codes = slices.DeleteFunc(e.Codes, func(c Code) bool { return !canHaveCode(c.Code, r, in) })
		all = append(all, e)
	}
	return all
}

// canHaveCode reports whether a route that can respond with the status of a code can have the code, by the row and
// the input of the route. A code that it does not name is a handler's own, and is in the rows of its routes.
func canHaveCode(c contract.Code, r contract.Route, in *contract.Schema) bool {
	switch c {
	case contract.MalformedJSON, contract.UnsupportedContentType:
		return in.HasBody()
	case contract.LimitTooLarge:
		return r.KeyType == contract.AgencyKey && slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.Schema.Page != nil })
	case contract.InvalidCursor:
		return slices.ContainsFunc(in.Fields, isTextCursor)
	case contract.UnknownFilterValue:
		return slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.In == contract.InQuery && f.Schema.Element().Enum != nil })
	case contract.InvalidBase64, contract.UnsupportedFileType, contract.EmptyFile:
		return takesFile(in)
	case contract.WrongKeyType:
		return r.KeyType != contract.AnyKey
	case contract.TalentNetworkDisabled:
		return r.OnTalentNetwork()
	case contract.RateLimited:
		return !r.Public()
	case contract.ValidationFailed, contract.MissingScope, contract.IdempotencyInProgress, contract.IdempotencyKeyReused, contract.IPThrottled,
		contract.MissingAPIKey, contract.InvalidAPIKey, contract.ExpiredAPIKey, contract.RevokedAPIKey:
		return true
	}
	return slices.Contains(r.Codes, c)
}

// takesFile reports whether a value has a file in base64.
func takesFile(s *contract.Schema) bool {
	s = s.Element()
	return s.Encoding != "" || slices.ContainsFunc(s.Fields, func(f contract.Field) bool { return takesFile(f.Schema) })
}

// otherFailure is the component of all errors that have none of their own. The edge shapes some of
// them, and not all have the envelope; described as if they had it, they give a
// generated client one type of error bodies.
const otherFailure = "Other"

// failureNames maps an error status to the name of its component; others, as 503, are [otherFailure].
var failureNames = map[int]string{
	http.StatusBadRequest:          "InvalidRequest",
	http.StatusUnauthorized:        "Unauthenticated",
	http.StatusForbidden:           "Forbidden",
	http.StatusNotFound:            "NotFound",
	http.StatusConflict:            "Conflict",
	http.StatusTooManyRequests:     "TooMany",
	http.StatusInternalServerError: "Internal",
}

func (b *builder) describeFailures() object {
	all := object{}
	for _, e := range Errors() {
		if name := failureNames[e.Status]; name != "" {
			all[name] = b.describeStatus(name, e)
		}
	}
	b.schemas["ErrorDetails"] = Texts.ErrorDetails
	text := "Any other error: a transient 5xx, or a request that is too large."
	for _, e := range Texts.TooLarge {
		text += fmt.Sprintf("\n- %d: %s", e.Status, e.Meaning)
	}
	properties := object{
		"type":    contract.JSONSchema{Response: true}.DescribeEnum(contract.ErrorTypes),
		"code":    object{"type": "string", "description": "More specific; present on some errors."},
		"details": refTo("schemas", "ErrorDetails"),
	}
	headers := []string{"X-Request-Id", "Cache-Control", "X-Content-Type-Options", "Retry-After"}
	example := object{"type": "api_error", "message": "The service is not available at the moment."}
	all[otherFailure] = b.describeFailure(otherFailure, text, headers, properties, example)
	return all
}

// describeFailure describes an error, and adds its types. properties and example are those of the envelope's content, without what
// all have.
func (b *builder) describeFailure(name, text string, headers []string, properties, example object) object {
	maps.Copy(properties, Texts.ErrorFields)
	example["request_id"] = ExampleID
	b.schemas[name+"ErrorBody"] = object{"type": "object", "required": []string{"type", "message", "request_id"}, "properties": properties}
	b.schemas[name+"Error"] = object{
		"type": "object", "required": []string{"error"}, "properties": object{"error": refTo("schemas", name+"ErrorBody")},
	}
	return object{
		"description": text, "headers": refsTo("headers", headers),
		"content": object{"application/json": object{"schema": refTo("schemas", name+"Error"), "example": object{"error": example}}},
	}
}

// describeStatus describes the error of a status, with its error.type and today's codes, to which others may be added.
func (b *builder) describeStatus(name string, e Error) object {
	text := e.Meaning
	properties := object{"type": object{"type": "string", "const": e.Type}}
	example := object{"type": e.Type, "message": e.Meaning}
	var names []string
	for _, c := range e.Codes {
		names = append(names, string(c.Code))
		text += "\n- `" + string(c.Code) + "`: " + c.Advice
	}
	if len(names) > 0 {
		known := "More specific; present on some errors." + contract.KnownValues(names)
		properties["code"] = object{"type": "string", "x-extensible-enum": names, "description": known}
		example["code"] = names[0]
	}
	if e.Status == http.StatusBadRequest {
		properties["details"] = refTo("schemas", "ErrorDetails")
		example["code"] = string(contract.ValidationFailed)
		example["details"] = object{"formErrors": []string{}, "fieldErrors": object{"email": []string{"email: is required."}}}
	}
	headers := []string{"X-Request-Id", "Cache-Control", "X-Content-Type-Options"}
	if e.Status != http.StatusUnauthorized { // which has no rate window
		headers = append(headers, rateHeaders...)
	}
	switch e.Status {
	case http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case http.StatusTooManyRequests: // before which no parameters are read
		headers = append(headers, "Retry-After")
	case http.StatusConflict:
		headers = append(headers, "Retry-After", "X-Ignored-Params")
	default:
		headers = append(headers, "X-Ignored-Params")
	}
	return b.describeFailure(name, text+"\n\nRetry: "+e.Retry+".", headers, properties, example)
}
