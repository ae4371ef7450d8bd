package recommend

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Remote is the workplace that is bound to a region only.
const Remote = "REMOTE"

// valueFacts returns what the values of roles mean to the candidate.
func (c Candidate) valueFacts() map[roleindex.Field]map[string]Fact {
	industries := map[string]Fact{}
	for _, v := range c.ExcludedIndustries {
		industries[v] = Excluded
	}
	rounds := preferenceFacts(contract.FundingRounds.Values, c.FundingRounds, PreferredRound, OtherRound)
	delete(rounds, string(contract.FundingRoundUnknown))
	workplaces := preferenceFacts(contract.WorkplaceTypes.Values, c.Workplaces, PreferredWorkplace, OtherWorkplace)
	workplaces[Remote] |= remote
	return map[roleindex.Field]map[string]Fact{
		roleindex.Industry: industries, roleindex.FundingRound: rounds, roleindex.Workplace: workplaces,
		roleindex.Location: c.placeFacts(), roleindex.RoleType: c.roleTypeFacts(),
		roleindex.FlagField: {string(roleindex.VisaSponsorship): sponsored},
	}
}

// preferenceFacts returns yes for the preferred values and no for all others. It returns
// no facts if nothing is preferred.
func preferenceFacts(all, preferred []string, yes, no Fact) map[string]Fact {
	facts := map[string]Fact{}
	if len(preferred) == 0 || slices.Equal(preferred, []string{string(contract.FundingRoundUnknown)}) {
		return facts
	}
	for _, v := range all {
		facts[v] = no
		if slices.Contains(preferred, v) {
			facts[v] = yes
		}
	}
	return facts
}

func (c Candidate) placeFacts() map[string]Fact {
	places := preferenceFacts(contract.Locations.Values, c.Locations, PreferredPlace|PreferredRegion, OtherPlace)
	for place, is := range places {
		if is == OtherPlace && slices.ContainsFunc(c.Locations, func(v string) bool { return regions[v] == regions[place] }) {
			places[place] |= PreferredRegion
		}
	}
	return places
}

//go:embed families.txt
var familyList string

// families returns the role types of each family in familyList.
var families = sync.OnceValue(func() (all [][]string) {
	for line := range strings.Lines(familyList) {
		types := strings.Fields(line)
		if len(types) > 0 && types[0] != "#" {
			all = append(all, types)
		}
	}
	return all
})

func (c Candidate) roleTypeFacts() map[string]Fact {
	types := map[string]Fact{}
	for _, family := range families() {
		if !slices.ContainsFunc(family, func(v string) bool { return slices.Contains(c.RoleTypes, v) }) {
			continue
		}
		for _, v := range family {
			types[v] = NearType
		}
	}
	for _, v := range c.RoleTypes {
		types[v] = SameType
	}
	return types
}

// SizeRange is a range of head counts, both ends included.
type SizeRange struct{ Least, Most int }

// companySizes are the contract's company sizes as numbers. A count on a boundary is in both ranges.
var companySizes = map[string]SizeRange{
	"< 10 employees":       {1, 9},
	"10 - 50 employees":    {10, 50},
	"50 - 200 employees":   {50, 200},
	"200 - 1000 employees": {200, 1000},
	"> 1000 employees":     {1001, math.MaxInt},
}

func sizeRanges(keys []string) (ranges []SizeRange) {
	for _, key := range keys {
		if r, ok := companySizes[key]; ok {
			ranges = append(ranges, r)
		}
	}
	return ranges
}

// regions are the areas in which one right to work is valid.
var regions = map[string]string{
	"boston": "us", "chicago": "us", "denver": "us", "florida": "us", "los_angeles": "us", "minnesota": "us", "new_york": "us",
	"sacramento": "us", "san_francisco": "us", "seattle": "us", "south_bay_area": "us", "texas": "us", "washington_dc": "us",
	"canada": "canada", "latam": "latam", "uk": "uk", "europe": "europe", "india": "india",
	"korea": "korea", "asia": "asia", "australia": "australia",
}
