package main

import (
	"reflect"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// contents is the data of all templates.
type contents struct {
	PublicURL      string
	Base           string
	Tiers          []contract.Tier
	Window         int
	MaxBody        int
	Groups         []group
	Lists          []list
	Errors         []openapi.Error
	ItemErrors     []openapi.ItemError
	ResultStatuses []openapi.ResultStatus
	Changes        []openapi.Change
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
	Own, Common []failure
	Refusal     refusal
	// URL and SampleBody are what the form of the page begins with, the address below the base path; empty for
	// routes without a form.
	URL, SampleBody string
}

// readContents returns the data, which it makes once.
var readContents = sync.OnceValue(func() contents {
	return contents{
		PublicURL:      contract.ExampleURL,
		Base:           contract.BasePath,
		Tiers:          []contract.Tier{contract.DefaultTier, contract.WriteTier},
		Window:         contract.WindowSeconds,
		MaxBody:        contract.MaxBodyBytes >> 20,
		Groups:         groupRoutes(),
		Lists:          pagedLists(),
		Errors:         openapi.Errors(),
		ItemErrors:     openapi.ItemErrors,
		ResultStatuses: openapi.ResultStatuses,
		Changes:        openapi.Changes,
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
			all = append(all, group{Name: string(r.Function), Title: openapi.Title(r.Function)})
		}
		g := &all[at[r.Function]]
		g.Routes = append(g.Routes, describeRoute(r, samples[r.Operation]))
	}
	return append(all[1:], all[0])
}

func describeRoute(r contract.Route, samples []sample) endpoint {
	e := endpoint{
		Route: r, Request: fieldsOf(contract.SchemaOf(r.Input), "", false), Response: fieldsOf(contract.SchemaOf(r.Output), "", true),
		Body: contract.SchemaOf(r.Input).HasBody(), Samples: samples, Refusal: sampleRefusal(r),
	}
	e.Own, e.Common = splitFailures(r)
	if r.Output != nil {
		e.URL = sampleAddress(r)
		e.SampleBody = sampleBody(r)
		e.Example = indent(encodeExample(r.Output, openapi.ExampleResponse(r)))
	}
	return e
}

// list is a route that answers in pages.
type list struct {
	contract.Route
	// Cursor is the type of the cursor; End says what nextCursor is on the last page.
	Cursor, End string
	Limit       *contract.PageLimit
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
			l.End = endOfList(r)
			all = append(all, l)
		}
	}
	return all
}

func endOfList(r contract.Route) string {
	out := contract.SchemaOf(r.Output)
	switch next := out.Fields[out.Field("nextCursor")]; {
	case next.Omitted:
		return "absent"
	case next.Pointer:
		return "null"
	}
	return "always set"
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
