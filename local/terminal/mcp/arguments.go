package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
)

// readArguments returns the arguments of an assistant, with numbers as they were written.
func readArguments(sent json.RawMessage) (map[string]any, error) {
	arguments := map[string]any{}
	if len(sent) == 0 {
		return arguments, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(sent))
	decoder.UseNumber()
	if decoder.Decode(&arguments) != nil {
		return nil, errors.New("the arguments must be an object")
	}
	return arguments, nil
}

// prepare makes a value of the API from that of an assistant: without what is null, because
// assistants send it for omitted values, and with files in place of their paths. It returns an
// error for all names that the schema does not have.
func (d directories) prepare(at string, s *contract.Schema, value any) error {
	var problems []error
	switch value := value.(type) {
	case []any:
		for i, one := range value {
			if s.Items != nil {
				problems = append(problems, d.prepare(fmt.Sprintf("%s[%d]", at, i), s.Items, one))
			}
		}
	case map[string]any:
		if s.Kind == contract.KindObject {
			problems = append(problems, d.prepareFields(at, s.Fields, value))
		}
	}
	return errors.Join(problems...)
}

func (d directories) prepareFields(at string, fields []contract.Field, object map[string]any) error {
	if at != "" {
		at += "."
	}
	isNull := func(_ string, value any) bool { return value == nil }
	maps.DeleteFunc(object, isNull)
	problems := []error{refuseUnknown(at, fields, object)}
	for _, f := range fields {
		value, sent := object[f.Name]
		_, isObject := value.(map[string]any)
		switch {
		case isContent(f):
			problems = append(problems, d.fillContent(at, f.Name, object))
		case f.In == contract.InPath && !sent: // the API gets no request without one
			problems = append(problems, fmt.Errorf("%s: is required", f.Name))
		case f.In == contract.InQuery && isObject: // the API would search for its text
			problems = append(problems, fmt.Errorf("%s: must not be an object", f.Name))
		default:
			problems = append(problems, d.prepare(at+f.Name, f.Schema, value))
		}
	}
	return errors.Join(problems...)
}

func refuseUnknown(at string, fields []contract.Field, object map[string]any) error {
	var known []string
	for _, f := range fields {
		name := f.Name
		if isContent(f) {
			name = pathArgument
		}
		known = append(known, name)
	}
	isKnown := func(name string) bool { return slices.Contains(known, name) }
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), isKnown)
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(known)
	return fmt.Errorf("%s%s: unknown. Accepted: %s", at, strings.Join(unknown, ", "+at), strings.Join(known, ", "))
}

// requestOf returns the request of a route with prepared arguments. A retry of this call is safe;
// another call is another request.
func requestOf(r contract.Route, arguments map[string]any) decode.Request {
	path := map[string]string{}
	query := url.Values{}
	body := map[string]any{}
	for _, f := range contract.SchemaOf(r.Input).Fields {
		value, sent := arguments[f.Name]
		switch {
		case !sent:
		case f.In == contract.InPath:
			path[f.Name] = parameter(value)
		case f.In == contract.InQuery:
			query[f.Name] = parameters(value)
		case f.In == contract.InBody:
			body[f.Name] = value
		}
	}
	return decode.Request{
		Path: path, Query: query.Encode(), Body: string(encode(body)),
		Header:     http.Header{idempotencyHeader: {uuid.NewString()}},
		LowerLimit: r.KeyType == contract.PersonalKey,
	}
}

// parameters returns the texts of a parameter, of which an array has one for each entry.
func parameters(value any) (texts []string) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	for _, one := range list {
		texts = append(texts, parameter(one))
	}
	return texts
}

func parameter(value any) string {
	text, ok := value.(string)
	if ok {
		return text
	}
	return string(encode(value))
}

// encode returns the JSON of a value that always has one.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("mcp: " + err.Error())
	}
	return text
}
