package main

import (
	"net/http"
	"reflect"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// contents is the data of all templates.
type contents struct {
	openapi.TextFile
	PublicURL      string
	Base           string
	Tiers          []contract.Tier
	Window         int
	MaxBody        int
	Groups         []group
	Lists          []list
	Errors         []openapi.Error
	Enums          []*contract.Enum
	Total          int
	AgencyScopes   []contract.Scope
	PersonalScopes []contract.Scope
}

// group is the routes of one function.
type group struct {
	Name, Title string
	Routes      []endpoint
}

// endpoint is a route with its fields and samples spelled out.
type endpoint struct {
	contract.Route
	Request, Response []field
	// Body reports whether the request has a JSON body.
	Body bool
	// Samples are requests in several languages; Example is a response in JSON, empty for none.
	Samples []sample
	Example string
	// Own are the errors that depend on the endpoint, Common those that every endpoint of its kind
	// has; Refusal is a sample of the first ones.
	Own, Common []openapi.Error
	Refusal     refusal
	// URL and SampleBody are what the form of the page begins with, the address below the base path; empty for
	// routes without a form.
	URL, SampleBody string
}

// readContents returns the data, which it makes once.
var readContents = sync.OnceValue(func() contents {
	return contents{
		TextFile:       openapi.Texts,
		PublicURL:      contract.ExampleURL,
		Base:           contract.BasePath,
		Tiers:          []contract.Tier{contract.DefaultTier, contract.WriteTier},
		Window:         contract.WindowSeconds,
		MaxBody:        contract.MaxBodyBytes >> 20,
		Groups:         groupRoutes(),
		Lists:          pagedLists(),
		Errors:         openapi.Errors(),
		Enums:          usedEnums(),
		Total:          len(contract.Routes),
		AgencyScopes:   contract.AgencyKey.Scopes(),
		PersonalScopes: contract.PersonalKey.Scopes(),
	}
})

// usedEnums returns the enumerations of all requests and responses but those of errors, by name.
func usedEnums() (used []*contract.Enum) {
	for _, e := range contract.ListEnumerations().Enumerations {
		if enum := contract.EnumByName(e.Name); enum != contract.ErrorTypes && enum != contract.ErrorCodes {
			used = append(used, enum)
		}
	}
	return used
}

// groupRoutes returns the routes by function, in the order of the table; those of the first, which
// are about the service itself, are the last group.
func groupRoutes() (all []group) {
	samples := readSamples()
	at := map[contract.Function]int{}
	for _, r := range contract.Routes {
		if _, ok := at[r.Function]; !ok {
			at[r.Function] = len(all)
			all = append(all, group{Name: string(r.Function), Title: openapi.Texts.Functions[r.Function].Title})
		}
		e := endpoint{
			Route: r, Samples: samples[r.Operation], Refusal: sampleRefusal(r),
			Request:  fieldsOf(contract.SchemaOf(r.Input), r.Operation+"-request-", "", false),
			Response: fieldsOf(contract.SchemaOf(r.Output), r.Operation+"-response-", "", true),
			Body:     contract.SchemaOf(r.Input).HasBody(),
		}
		for _, failure := range openapi.RouteErrors(r) {
			if slices.Contains(commonStatuses, failure.Status) {
				e.Common = append(e.Common, failure)
			} else {
				e.Own = append(e.Own, failure)
			}
		}
		if r.Output != nil {
			e.URL = sampleAddress(r)
			e.SampleBody = sampleBody(r)
			e.Example = indent(encodeExample(r.Output, openapi.ExampleResponse(r)))
		}
		g := &all[at[r.Function]]
		g.Routes = append(g.Routes, e)
	}
	return append(all[1:], all[0])
}

// list is a route that answers in pages.
type list struct {
	contract.Route
	// Cursor is the type of the cursor; Next is the field nextCursor.
	Cursor string
	Next   contract.Field
	Limit  *contract.PageLimit
}

// pagedLists returns the routes with a cursor, in the order of the table.
func pagedLists() (all []list) {
	for _, r := range contract.Routes {
		l := list{Route: r}
		for _, f := range contract.SchemaOf(r.Input).Fields {
			switch f.Name {
			case "cursor":
				l.Cursor = string(f.Schema.Kind)
			case "limit":
				l.Limit = f.Schema.Page
			}
		}
		if l.Cursor != "" {
			out := contract.SchemaOf(r.Output)
			l.Next = out.Fields[out.Field("nextCursor")]
			all = append(all, l)
		}
	}
	return all
}

// encodeExample returns the JSON of an example, its fields in the order of the wire type.
func encodeExample(wire reflect.Type, example any) jsontext.Value {
	typed := reflect.New(wire).Interface()
	if err := json.Unmarshal(must(json.Marshal(example)), typed); err != nil {
		panic(err)
	}
	return must(gateway.Encode(typed))
}

func indent(flat jsontext.Value) string {
	if err := flat.Indent(jsontext.WithIndent("  ")); err != nil {
		panic(err)
	}
	return flat.String()
}

// commonStatuses are the statuses that endpoints do not differ in.
var commonStatuses = []int{
	http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusRequestHeaderFieldsTooLarge,
	http.StatusInternalServerError, http.StatusServiceUnavailable,
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
	isInPath := func(f contract.Field) bool { return f.In == contract.InPath }
	rest := *in
	rest.Fields = slices.DeleteFunc(slices.Clone(in.Fields), isInPath)
	_, err := decode.Into(decode.Request{Query: "limit=0", Body: "{}"}, &rest, into)
	switch {
	case err != nil:
		return writeRefusal(fault.As(err))
	case slices.ContainsFunc(in.Fields, isInPath):
		return writeRefusal(fault.Missing())
	case !r.Public():
		return writeRefusal(fault.New(fault.Unauthenticated, contract.InvalidAPIKey,
			"The API key is invalid. Check that it was copied whole and belongs to this environment."))
	}
	return refusal{}
}

func writeRefusal(e *fault.Error) refusal {
	return refusal{e.Kind.Status, indent(gateway.EncodeError(e, openapi.ExampleID))}
}
