package contract

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
)

// Enum is a closed set of accepted values, in the contract's alphabetical order.
type Enum struct {
	// Name is the set's name in a "check" tag and in the reference.
	Name string
	// Values are case-sensitive and exactly as sent.
	Values []string
}

// Has reports whether v is one of the values.
func (e *Enum) Has(v string) bool { return slices.Contains(e.Values, v) }

//go:embed enumerations.txt
var enumerationsText string

// enums holds every enumeration by name; tags refer to it.
var enums = readEnums(enumerationsText)

// readEnums returns the enumerations of a table like enumerations.txt: each has a line with its name and, indented by
// spaces, one for each value.
func readEnums(table string) map[string]*Enum {
	all := map[string]*Enum{}
	var last *Enum
	for line := range strings.Lines(table) {
		text := strings.TrimSpace(line)
		if strings.HasPrefix(line, " ") {
			last.Values = append(last.Values, text)
			continue
		}
		last = &Enum{Name: text}
		all[text] = last
	}
	return all
}

// EnumByName returns the enumeration that a "check" tag names; nil if there is none.
func EnumByName(name string) *Enum { return enums[name] }

// ConvertValues returns texts as values of an enumeration, or the other way round. nil stays nil.
func ConvertValues[To, From ~string](all []From) []To {
	if all == nil {
		return nil
	}
	converted := make([]To, len(all))
	for i, value := range all {
		converted[i] = To(value)
	}
	return converted
}

// The enumerations of candidates and roles (contract, Shared enumerations).
var (
	Locations      = EnumByName("location") // 21 places
	WorkplaceTypes = EnumByName("workplaceType")
	FundingRounds  = EnumByName("fundingRound")
	CompanySizes   = EnumByName("companySize") // bands of head counts, spaces and symbols included
	RoleTypes      = EnumByName("roleType")    // 83 kinds
	Industries     = EnumByName("industry")    // 39
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

// spellings are the words of keys that are not written as in the key, proper names among them.
var spellings = map[string]string{
	"ai": "AI", "angeles": "Angeles", "api": "API", "area": "Area", "asia": "Asia", "ats": "ATS", "australia": "Australia",
	"b2b": "B2B", "bay": "Bay", "boston": "Boston", "canada": "Canada", "chicago": "Chicago", "crm": "CRM", "dc": "DC",
	"denver": "Denver", "devops": "DevOps", "devtools": "Developer tools", "ecommerce": "E-commerce", "edtech": "EdTech",
	"europe": "Europe", "fintech": "FinTech", "florida": "Florida", "francisco": "Francisco", "gtm": "GTM", "india": "India",
	"korea": "Korea", "latam": "Latin America", "linkedin": "LinkedIn", "minnesota": "Minnesota", "ml": "ML", "ote": "OTE",
	"pr": "PR", "qa": "QA", "sacramento": "Sacramento", "sdk": "SDK", "seattle": "Seattle", "seo": "SEO", "sre": "SRE",
	"texas": "Texas", "ui": "UI", "uk": "UK", "url": "URL", "ux": "UX", "york": "York",
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
		case i == 0 || len(word) == 1:
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, " ")
}
