package openapi

import (
	_ "embed"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

//go:embed texts.yaml
var textsYAML []byte

// Texts is what the contract's data lack, once for the document and the reference.
var Texts = readTexts()

// TextFile is the content of texts.yaml.
type TextFile struct {
	// Functions has, of the routes that a function serves, their heading and what they are for.
	Functions map[contract.Function]struct{ Title, Purpose string }
	// Titles are the headings of operations.
	Titles map[string]string
	// Codes has when an error.code comes and what to do about it.
	Codes map[contract.Code]struct{ When, Advice string }
	// TooLarge has the statuses of requests that are refused before they are read, which are no kinds of fault.
	TooLarge []*fault.Kind `yaml:"tooLarge"`
	// ItemErrors has every error code of a batch item, or of a rejected bulk item, with why it comes and what the
	// caller can do.
	ItemErrors []struct {
		Code          contract.SubmissionError
		Cause, Advice string
	} `yaml:"itemErrors"`
	// ResultStatuses holds every outcome for a reference (contract, Reference results) and what it means. Of names
	// the endpoints that give the status so.
	ResultStatuses []struct {
		Status      contract.ResultStatus
		OK          bool
		Of, Meaning string
	} `yaml:"resultStatuses"`
	// Changes is the changelog, newest first. Its first version is the document's.
	Changes []struct {
		// Version is the semantic version of the document that first had the change. Its major
		// number is that of the path; a correction of the document itself raises the last one.
		Version string
		// Date is YYYY-MM-DD; What is a sentence for callers.
		Date, What string
	}

	// The following are parts of the document; Media are by operation.
	Info            object
	SecuritySchemes map[string]object `yaml:"securitySchemes"`
	ErrorFields     object            `yaml:"errorFields"`
	ErrorDetails    object            `yaml:"errorDetails"`
	NotModified     object            `yaml:"notModified"`
	Headers         map[string]object
	Media           map[string]object
	Links           []link
}

// readTexts returns the texts. It panics on a file that cannot be read or has other fields.
func readTexts() (t TextFile) {
	if err := yaml.UnmarshalWithOptions(textsYAML, &t, yaml.Strict()); err != nil {
		panic("openapi: texts.yaml: " + err.Error())
	}
	return t
}

// ExampleID is the UUID in all examples.
const ExampleID = "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"

//go:embed examples.json
var examplesJSON []byte

// examples holds invented values. A name may be several, separated by spaces.
type examples struct {
	// Fields are for fields by name, in every type; Types, by a type's own fields, precede them.
	Fields object
	Types  map[string]object
	// Requests and Responses change the examples of an operation where the values of several fields
	// belong together ([mergePatch]).
	Requests, Responses map[string]object
	// Queries and Keys are the query and the Idempotency-Key of an operation's request.
	Queries, Keys map[string]string
}

// readExamples returns the examples of examples.json. It panics on a file that cannot be read.
var readExamples = sync.OnceValue(func() (e examples) {
	if err := json.Unmarshal(examplesJSON, &e); err != nil {
		panic("openapi: examples.json: " + err.Error())
	}
	splitNames(e.Types)
	splitNames(e.Requests)
	splitNames(e.Responses)
	return e
})

// splitNames gives each of several names in a key an entry of its own.
func splitNames[V any](all map[string]V) {
	for names, value := range maps.Clone(all) {
		for name := range strings.FieldsSeq(names) {
			all[name] = value
		}
	}
}

// shownExamples are fields of responses that examples have, though they can be absent.
var shownExamples = map[string]bool{"LookupResult.candidates": true, "PreferencesResult.candidates": true}

// exampleOf returns an invented value of a schema: every field of a response, the
// required fields of a request.
func exampleOf(s *contract.Schema, answer bool) any {
	switch {
	case s.Kind == contract.KindObject:
		o := object{}
		for _, f := range s.Fields {
			isShown := !f.Omitted || shownExamples[s.Name+"."+f.Name]
			if f.In == contract.InBody && (f.Required || answer && isShown) {
				o[f.Name] = exampleOfField(s.Name, f, answer)
			}
		}
		return o
	case s.Kind == contract.KindArray:
		return []any{exampleOf(s.Items, answer)}
	case s.Kind == contract.KindBoolean:
		return s.Const != "false"
	case s.Const != "":
		return s.Const
	case s.Enum != nil:
		return s.Enum.Values[0]
	case s.Kind != contract.KindString:
		return 1
	}
	return map[string]string{
		"uuid": ExampleID, "date-time": "2026-05-06T07:08:09.123Z", "uri": "https://example.com", "email": "ada@example.com",
		"linkedin": "https://www.linkedin.com/in/ada-example",
	}[s.Format]
}

// exampleOfField returns the value that is listed for the field of its owner, or for
// its name; if there is none, an invented one.
func exampleOfField(owner string, f contract.Field, answer bool) any {
	s := f.Schema
	all := readExamples()
	v, ok := all.Types[owner][f.Name]
	if !ok {
		v, ok = all.Fields[f.Name]
	}
	if ok {
		return v
	}
	if s.Kind == contract.KindArray && s.Items.Kind == contract.KindString && s.Items.Enum == nil {
		return []any{}
	}
	isText := s.Kind == contract.KindString && s.Format == "" && s.Enum == nil
	if isText && answer && f.Pointer {
		return nil
	}
	return exampleOf(s, answer)
}

// Request is an invented request: the parameters in its path, and what else it has.
type Request struct {
	Path                  map[string]string
	Query, IdempotencyKey string
	Body                  any
}

// ExampleRequest returns an invented request of a route.
func ExampleRequest(r contract.Route) Request {
	in := contract.SchemaOf(r.Input)
	all := readExamples()
	example := Request{Path: map[string]string{}, Query: all.Queries[r.Operation], IdempotencyKey: all.Keys[r.Operation]}
	for _, f := range in.Fields {
		if f.In == contract.InPath {
			example.Path[f.Name], _ = exampleOfField(in.Name, f, false).(string)
		}
	}
	if in.HasBody() {
		example.Body = mergePatch(exampleOf(in, false), all.Requests[r.Operation])
	}
	return example
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
