package main

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
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

// field is a line of the fields of a request or response.
type field struct {
	// ID is that of the element by which it can be linked to.
	ID string
	// Path is the name from the top, like preferences.salaryMin or items[].index; Name is its
	// last part.
	Path, Name string
	In         contract.Binding
	Type       string
	// Required is for requests, Optional for responses.
	Required, Optional bool
	// Rules are the limits in words; Enum is the enumeration to look up, if any.
	Rules []string
	Enum  string
	Doc   string
	// Fields are those of an object, or of the entries of an array.
	Fields []field
}

// fieldsOf returns the fields of an object with those below them. Those of a response have no bounds: those of a schema
// limit only what is accepted. Their ids begin with id.
func fieldsOf(s *contract.Schema, id, prefix string, answer bool) []field {
	var all []field
	for _, f := range s.Fields {
		line := field{Path: prefix + f.Name, Name: f.Name, In: f.In, Required: f.Required, Doc: f.Doc, Rules: rulesOf(f.Schema)}
		line.Type = string(f.Schema.Element().Kind) + brackets(f.Schema)
		null := f.Nullable
		if answer {
			null = f.Pointer
			line.Required = false
			line.Optional = f.Omitted
			line.Rules = slices.DeleteFunc(line.Rules, func(rule string) bool { return rule != formats["date-time"] && rule != formats["uuid"] })
		}
		if null {
			line.Type += " or null"
		}
		if e := f.Schema.Element().Enum; e != nil {
			line.Enum = e.Name
		}
		line.ID = id + strings.ReplaceAll(line.Path, "[]", "")
		if f.In == contract.InPath { // which can have the name of a field of the body
			line.ID = id + "path." + line.Path
		}
		line.Fields = fieldsOf(f.Schema.Element(), id, line.Path+brackets(f.Schema)+".", answer)
		all = append(all, line)
	}
	return all
}

func flattenFields(tree []field) (all []field) {
	for _, f := range tree {
		all = append(all, f)
		all = append(all, flattenFields(f.Fields)...)
	}
	return all
}

// brackets returns what follows the name and the type of an array.
func brackets(s *contract.Schema) string {
	if s.Kind == contract.KindArray {
		return "[]"
	}
	return ""
}

var formats = map[string]string{
	"uuid":      "a UUID",
	"uri":       "an absolute URL",
	"link":      "an absolute URL with the scheme " + strings.Join(contract.LinkSchemes, ", "),
	"email":     "an e-mail address",
	"linkedin":  "a LinkedIn profile URL",
	"printable": "printable ASCII",
	"line":      "one line",
	"text":      "no control characters but tabs and line ends",
	"date-time": "RFC 3339, UTC",
}

func rulesOf(s *contract.Schema) []string {
	var all []string
	if text := formats[s.Element().Format]; text != "" {
		all = append(all, text)
	}
	if text := boundsText(s); text != "" {
		all = append(all, text)
	}
	if s.Const != "" {
		all = append(all, "always "+s.Const)
	}
	if s.Default != "" {
		all = append(all, s.Default+" when not given")
	}
	if s.Page != nil {
		all = append(all, fmt.Sprintf("%d when not given, at most %d", s.Page.Default, s.Page.Max))
	}
	return all
}

// boundsText returns the bounds with their unit: characters, entries, or none.
func boundsText(s *contract.Schema) string {
	unit := map[contract.Kind]string{contract.KindString: " characters", contract.KindArray: " entries"}[s.Kind]
	switch {
	case s.Min != nil && s.Max != nil:
		return fmt.Sprintf("%d to %d%s", *s.Min, *s.Max, unit)
	case s.Max != nil:
		return fmt.Sprintf("at most %d%s", *s.Max, unit)
	case s.Min != nil && *s.Min == 1 && unit != "":
		return "not empty"
	case s.Min != nil:
		return fmt.Sprintf("at least %d%s", *s.Min, unit)
	}
	return ""
}
