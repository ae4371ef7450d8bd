package main

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// failure is a line of the errors of an endpoint: a status with one of its codes, or without.
type failure struct {
	Status       int
	Code         contract.Code
	When, Advice string
}

// commonStatuses are the statuses that endpoints do not differ in.
var commonStatuses = []int{
	http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge,
	http.StatusInternalServerError, http.StatusServiceUnavailable,
}

// splitFailures returns the errors that depend on the endpoint, and the others.
func splitFailures(r contract.Route) (own, common []failure) {
	for _, e := range openapi.RouteErrors(r) {
		lines := failuresOf(e)
		if slices.Contains(commonStatuses, e.Status) {
			common = append(common, lines...)
		} else {
			own = append(own, lines...)
		}
	}
	return own, common
}

func failuresOf(e openapi.Error) []failure {
	if len(e.Codes) == 0 {
		return []failure{{Status: e.Status, When: e.Meaning, Advice: retryText(e.Retry)}}
	}
	var all []failure
	for _, c := range e.Codes {
		all = append(all, failure{e.Status, c.Code, c.When, c.Advice})
	}
	return all
}

func retryText(retry string) string {
	if retry == "no" {
		return "Correct the request first."
	}
	return "Retry " + retry + "."
}

// refusal is a sample of an error response; an empty JSON means none.
type refusal struct {
	Status int
	JSON   string
}

// sampleRefusal returns the response to the simplest mistake that callers can make: an empty body, a
// parameter out of bounds, an unknown id, a key without the scope. The messages are those of
// the service itself.
func sampleRefusal(r contract.Route) refusal {
	in := contract.SchemaOf(r.Input)
	var into reflect.Value
	if r.Input != nil {
		into = reflect.New(r.Input)
	}
	_, err := decode.Into(decode.Request{Query: "limit=0", Body: "{}"}, withoutPath(in), into)
	switch {
	case err != nil:
		return writeRefusal(fault.As(err))
	case slices.ContainsFunc(in.Fields, func(f contract.Field) bool { return f.In == contract.InPath }):
		return writeRefusal(fault.Missing())
	case !r.Public():
		return writeRefusal(fault.New(fault.Unauthenticated, contract.InvalidAPIKey,
			"The API key is invalid. Check that it was copied whole and belongs to this environment."))
	}
	return refusal{}
}

func withoutPath(s *contract.Schema) *contract.Schema {
	rest := *s
	rest.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f contract.Field) bool { return f.In == contract.InPath })
	return &rest
}

func writeRefusal(e *fault.Error) refusal {
	return refusal{e.Kind.Category().Status, indent(gateway.EncodeError(e, openapi.ExampleID))}
}
