package openapi

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// ExampleRequest returns an invented request of a route: its parameters in the path, and its
// body, which is nil if it has none.
func ExampleRequest(r contract.Route) (path map[string]string, body any) {
	in := contract.SchemaOf(r.Input)
	path = map[string]string{}
	for _, f := range in.Fields {
		if f.In == contract.InPath {
			path[f.Name], _ = exampleOfField(in.Name, f, false).(string)
		}
	}
	if in.HasBody() {
		body = mergePatch(exampleOf(in, false), readExamples().Requests[r.Operation])
	}
	return path, body
}

// ExampleResponse returns an invented response of a route with an output.
func ExampleResponse(r contract.Route) any {
	return mergePatch(exampleOf(contract.SchemaOf(r.Output), true), readExamples().Responses[r.Operation])
}

// mergePatch returns a value with changes: those of an object change its fields, and all others take the place of the
// value. Unlike in RFC 7396, null is a value too, and removes nothing.
func mergePatch(target, changes any) any {
	patch, ok := changes.(map[string]any)
	if !ok {
		return changes
	}
	merged, ok := target.(object)
	if !ok {
		merged = object{}
	}
	for name, value := range patch {
		merged[name] = mergePatch(merged[name], value)
	}
	return merged
}
