package main

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
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
	// Attempt is what the form of the page begins with, nil for routes without one.
	Attempt *attempt
}

func readContents() (contents, error) {
	c := contents{
		PublicURL:      contract.ExampleURL,
		Base:           contract.BasePath,
		Tiers:          []contract.Tier{contract.DefaultTier, contract.WriteTier},
		Window:         contract.WindowSeconds,
		MaxBody:        contract.MaxBodyBytes >> 20,
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
	var err error
	c.Groups, err = groupRoutes()
	return c, err
}

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
func groupRoutes() ([]group, error) {
	samples, err := readSamples()
	if err != nil {
		return nil, err
	}
	var all []group
	at := map[contract.Function]int{}
	for _, r := range contract.Routes {
		if _, ok := at[r.Function]; !ok {
			at[r.Function] = len(all)
			all = append(all, group{Name: string(r.Function), Title: openapi.Title(r.Function)})
		}
		e, err := describeRoute(r, samples)
		if err != nil {
			return nil, err
		}
		g := &all[at[r.Function]]
		g.Routes = append(g.Routes, e)
	}
	return append(all[1:], all[0]), nil
}

func describeRoute(r contract.Route, samples map[string][]sample) (endpoint, error) {
	e := endpoint{
		Route: r, Request: requestFields(r), Response: responseFields(r),
		Body: contract.SchemaOf(r.Input).HasBody(), Samples: samples[r.Operation],
	}
	e.Own, e.Common = splitFailures(r)
	var err error
	e.Refusal, err = sampleRefusal(r)
	if err != nil || r.Output == nil {
		return e, err
	}
	e.Attempt, err = firstAttempt(r)
	if err != nil {
		return e, err
	}
	e.Example, err = marshalOrdered(contract.SchemaOf(r.Output), openapi.ExampleResponse(r), jsontext.WithIndent("  "))
	return e, err
}

// list is a route that answers in pages.
type list struct {
	contract.Route
	// Cursor is the type of the cursor; End says what nextCursor is on the last page.
	Cursor, End  string
	Default, Max int64
	// Above says what becomes of a larger limit.
	Above string
}

// pagedLists returns the routes with a cursor, in the order of the table.
func pagedLists() (all []list) {
	for _, r := range contract.Routes {
		l := list{Route: r, Above: "lowered"}
		if r.KeyType == contract.AgencyKey {
			l.Above = "400"
		}
		for _, f := range contract.SchemaOf(r.Input).Fields {
			switch f.Name {
			case "cursor":
				l.Cursor = string(f.Schema.Kind)
			case "limit":
				l.Default = f.Schema.Page.Default
				l.Max = f.Schema.Page.Max
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

// marshalOrdered returns the JSON of a value of a schema, its fields in the order of the schema.
func marshalOrdered(s *contract.Schema, value any, options ...jsontext.Options) (string, error) {
	var out bytes.Buffer
	err := writeOrdered(jsontext.NewEncoder(&out, options...), s, value)
	return string(bytes.TrimSpace(out.Bytes())), err
}

func writeOrdered(out *jsontext.Encoder, s *contract.Schema, value any) error {
	switch v := value.(type) {
	case map[string]any:
		err := out.WriteToken(jsontext.BeginObject)
		for _, f := range s.Fields {
			if value, ok := v[f.Name]; ok && f.In == contract.InBody {
				err = errors.Join(err, out.WriteToken(jsontext.String(f.Name)), writeOrdered(out, f.Schema, value))
			}
		}
		return errors.Join(err, out.WriteToken(jsontext.EndObject))
	case []any:
		err := out.WriteToken(jsontext.BeginArray)
		for _, entry := range v {
			err = errors.Join(err, writeOrdered(out, s.Items, entry))
		}
		return errors.Join(err, out.WriteToken(jsontext.EndArray))
	}
	return json.MarshalEncode(out, value)
}
