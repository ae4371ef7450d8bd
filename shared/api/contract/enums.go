package contract

import (
	_ "embed"
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
var enums = readEnums()

// readEnums returns the enumerations of enumerations.txt: each has a line with its name and, indented, one for each
// value. Those with constants that are written by hand are added by newEnum.
func readEnums() map[string]*Enum {
	all := map[string]*Enum{}
	var last *Enum
	for line := range strings.Lines(enumerationsText) {
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

// newEnum returns an enumeration that tags can refer to by name.
func newEnum[T ~string](name string, values ...T) *Enum {
	e := &Enum{Name: name, Values: ConvertValues[string](values)}
	enums[name] = e
	return e
}

// The enumerations of candidates and roles (contract, Shared enumerations).
var (
	// Locations holds the 21 places of candidates and roles.
	Locations = EnumByName("location")
	// WorkplaceTypes holds where work is done.
	WorkplaceTypes = EnumByName("workplaceType")
	// FundingRounds holds the funding rounds of a company.
	FundingRounds = EnumByName("fundingRound")
	// VisaAuthorizations holds the three work authorizations.
	VisaAuthorizations = EnumByName("visaAuthorization")
	// CompanySizes holds head-count bands, spaces and symbols included.
	CompanySizes = EnumByName("companySize")
	// RoleTypes holds the 83 kinds of role.
	RoleTypes = EnumByName("roleType")
	// Industries holds the 39 industries.
	Industries = EnumByName("industry")
)
