package contract

import (
	_ "embed"
	"fmt"
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
// spaces, one for each value. It panics with the text of a line that is malformed.
func readEnums(table string) map[string]*Enum {
	all := map[string]*Enum{}
	var last *Enum
	for line := range strings.Lines(table) {
		text := strings.TrimSpace(line)
		isValue := strings.HasPrefix(line, " ")
		isMalformed := text == "" || strings.Contains(line, "\t")
		if isMalformed || isValue && last == nil {
			panic(fmt.Sprintf("contract: enumerations.txt: %q", strings.TrimRight(line, "\r\n")))
		}
		if isValue {
			last.Values = append(last.Values, text)
			continue
		}
		last = &Enum{Name: text}
		all[text] = last
	}
	for name, e := range all {
		if len(e.Values) == 0 {
			panic(fmt.Sprintf("contract: enumerations.txt: %q has no values", name))
		}
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
	// Locations holds the 21 places of candidates and roles.
	Locations = EnumByName("location")
	// WorkplaceTypes holds where work is done.
	WorkplaceTypes = EnumByName("workplaceType")
	// FundingRounds holds the funding rounds of a company.
	FundingRounds = EnumByName("fundingRound")
	// CompanySizes holds head-count bands, spaces and symbols included.
	CompanySizes = EnumByName("companySize")
	// RoleTypes holds the 83 kinds of role.
	RoleTypes = EnumByName("roleType")
	// Industries holds the 39 industries.
	Industries = EnumByName("industry")
)
