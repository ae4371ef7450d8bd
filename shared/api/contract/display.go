package contract

import (
	"maps"
	"slices"
	"strings"
)

// Enumerations is the response of GET /enumerations (contract, GET /enumerations).
type Enumerations struct {
	Enumerations []Enumeration `json:"enumerations" doc:"Sorted by name."`
}

// Enumeration is a set of values that fields and parameters take.
type Enumeration struct {
	Name   string       `json:"name" doc:"Name of the enumeration; capitalized in the OpenAPI document."`
	Fields []string     `json:"fields" doc:"Fields and parameters that use the enumeration."`
	Values []NamedValue `json:"values" doc:"All current values, in the order of the reference."`
}

// NamedValue is a value and how people are shown it.
type NamedValue struct {
	Value string `json:"value" doc:"Value to send; case-sensitive."`
	Name  string `json:"name" doc:"Display name; may change."`
}

// ListEnumerations returns every enumeration of requests and responses, by name. Those that only
// the marketplace's events have are not among them.
func ListEnumerations() (out Enumerations) {
	fields := map[string][]string{ErrorTypes.Name: {"error.type"}, ErrorCodes.Name: {"error.code"}}
	for _, r := range Routes {
		addEnumFields(fields, SchemaOf(r.Input))
		addEnumFields(fields, SchemaOf(r.Output))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		e := Enumeration{Name: name, Fields: slices.Compact(slices.Sorted(slices.Values(fields[name])))}
		for _, value := range EnumByName(name).Values {
			e.Values = append(e.Values, NamedValue{value, DisplayName(value)})
		}
		out.Enumerations = append(out.Enumerations, e)
	}
	return out
}

// addEnumFields adds the names of the fields of a schema to those of their enumerations.
func addEnumFields(fields map[string][]string, s *Schema) {
	for _, f := range s.Fields {
		one := f.Schema.Element()
		if one.Enum != nil {
			fields[one.Enum.Name] = append(fields[one.Enum.Name], f.Name)
		}
		addEnumFields(fields, one)
	}
}

// spellings are the words of keys that are not written as in the key.
var spellings = map[string]string{
	"ai": "AI", "api": "API", "ats": "ATS", "b2b": "B2B", "crm": "CRM", "dc": "DC", "devops": "DevOps", "devtools": "Developer tools",
	"ecommerce": "E-commerce", "edtech": "EdTech", "fintech": "FinTech", "gtm": "GTM", "latam": "Latin America", "linkedin": "LinkedIn",
	"ml": "ML", "ote": "OTE", "pr": "PR", "qa": "QA", "sdk": "SDK", "seo": "SEO", "sre": "SRE", "uk": "UK", "ui": "UI", "ux": "UX", "url": "URL",
}

// properNames begin with a capital letter in every place.
var properNames = map[string]bool{
	"area": true, "asia": true, "angeles": true, "australia": true, "bay": true, "boston": true, "canada": true, "chicago": true, "denver": true, "europe": true,
	"florida": true, "francisco": true, "india": true, "korea": true, "minnesota": true, "sacramento": true, "seattle": true, "texas": true, "york": true,
}

// DisplayName returns the words of an enumeration's value as people write them: "New York" for
// new_york, "Series A" for SERIES_A. A value that is not a key, such as "< 10 employees", is its own
// name.
func DisplayName(value string) string {
	if strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" || value == "" {
		return value
	}
	words := strings.Split(strings.ToLower(value), "_")
	for i, word := range words {
		switch spelling, ok := spellings[word]; {
		case ok:
			words[i] = spelling
		case i == 0 || properNames[word] || len(word) == 1:
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, " ")
}
