package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

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
