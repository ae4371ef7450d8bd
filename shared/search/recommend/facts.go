package recommend

import (
	_ "embed"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Fact is what a facet of a role means to a candidate. A role's facts are combined by or.
type Fact uint16

// The facts. Excluded and the others of places and workplaces can break a constraint. A value of a
// preferred place is also one of the preferred region.
const (
	Excluded Fact = 1 << iota
	SameType
	NearType
	PreferredPlace
	PreferredRegion
	OtherPlace
	PreferredWorkplace
	OtherWorkplace
	remote
	PreferredRound
	OtherRound
	sponsored
	skill // also counted
)

// Criteria is a candidate in the units of the index, as roles and their facets are compared with.
type Criteria struct {
	Candidate
	facts map[roleindex.Field]map[string]Fact
	// Sizes are the preferred head counts.
	Sizes         []SizeRange
	Tenths        int // of years of experience, −1 unknown
	Floor, Target int // in thousands, 0 unknown
	Hour          int // of the request
}

// Values returns the values of a field that have one of the facts, sorted.
func (c *Criteria) Values(f roleindex.Field, facts Fact) []string {
	values := maps.Clone(c.facts[f])
	maps.DeleteFunc(values, func(_ string, is Fact) bool { return is&facts == 0 })
	return slices.Sorted(maps.Keys(values))
}

// Criteria returns what the candidate asks of roles at a time.
func (c Candidate) Criteria(now time.Time) *Criteria {
	w := &Criteria{
		Candidate: c, facts: c.valueFacts(), Tenths: -1, Hour: int(now.Unix() / 3600),
	}
	for _, key := range c.CompanySizes {
		if sizes, ok := companySizes[key]; ok {
			w.Sizes = append(w.Sizes, sizes)
		}
	}
	if c.Years != nil {
		w.Tenths = int(math.Round(*c.Years * 10))
	}
	w.Floor = roundThousands(c.SalaryFloor)
	w.Target = roundThousands(max(c.SalaryTarget, c.SalaryFloor))
	return w
}

// roundThousands returns v in thousands, at most what the index holds of a role's salary, so that amounts above that are equal.
func roundThousands(v int64) int { return int(min(math.MaxUint16, math.Round(float64(v)/1000))) }

// factTable is the criteria by the numbers of one segment's facets.
type factTable struct {
	roleindex.Segment
	*Criteria
	byNumber []Fact
	ranked   Fact // what roles have that are ranked already
	// stack is the first number of the tech stack, which is the last field.
	stack int
}

// newTable returns the table of a segment, and adds the skills that one of its roles has to listed.
func (c *Criteria) newTable(s roleindex.Segment, listed map[string]bool) *factTable {
	t := &factTable{Segment: s, Criteria: c, byNumber: make([]Fact, min(s.FacetCount(), math.MaxUint16+1))}
	for field, values := range c.facts {
		for value, facts := range values {
			t.addFact(field, value, facts)
		}
	}
	for _, name := range c.Skills {
		if t.addFact(roleindex.TechStack, name, skill) {
			listed[name] = true
		}
	}
	t.stack, _ = s.FacetNumber(roleindex.TechStack, "")
	return t
}

// addFact adds what a value means. It reports whether a role of the segment has the value.
func (t *factTable) addFact(f roleindex.Field, value string, facts Fact) bool {
	n, ok := t.FacetNumber(f, value)
	ok = ok && n < len(t.byNumber)
	if ok {
		t.byNumber[n] |= facts
	}
	return ok
}

// creditFacets credits what a role's facets show, and everything else fully: no credits of the role's
// figures can make its score higher. It reports whether the role is not ranked yet, breaks no
// constraint, and type or stack fit, without which no score is sufficient.
func (t *factTable) creditFacets(role int, r *Reasons) bool {
	list := t.Facets(role)
	var facts Fact
	i := 0
	for ; i < list.Len() && list.At(i) < t.stack; i++ {
		facts |= t.byNumber[list.At(i)]
	}
	if facts&t.ranked != 0 || breaksConstraint(facts) {
		return false
	}
	stack := list.Len() - i
	skills := 0
	for ; i < list.Len(); i++ {
		if t.byNumber[list.At(i)]&skill != 0 {
			skills++
		}
	}
	if facts&(SameType|NearType) == 0 && skills == 0 {
		return false
	}
	*r = fullCredit
	r[Location] = creditOf(Location, facts, PreferredPlace, PreferredRegion, SameRegion)
	r[Workplace] = creditOf(Workplace, facts, PreferredWorkplace, OtherWorkplace, 0)
	r[RoleType] = creditOf(RoleType, facts, SameType, NearType, AdjacentType)
	r[FundingRound] = creditOf(FundingRound, facts, PreferredRound, OtherRound, 0)
	r[Visa] = creditOf(Visa, facts, sponsored, 0, 0)
	r[Skills] = Weights[Skills].Unknown
	if stack > 0 {
		r[Skills] = float64(skills) / float64(stack)
	}
	return true
}

// breaksConstraint reports whether a role breaks a constraint that its facets show.
// Remote work is bound to a region, because of the right to work; other work to a place.
func breaksConstraint(facts Fact) bool {
	if facts&Excluded != 0 || facts&OtherWorkplace != 0 {
		return true
	}
	within := facts&PreferredPlace != 0 || facts&remote != 0 && facts&PreferredRegion != 0
	return facts&OtherPlace != 0 && !within
}

// Remote is the workplace that is bound to a region only.
const Remote = string(contract.WorkplaceTypeRemote)

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
	places := preferenceFacts(contract.Locations.Values, c.Locations, PreferredPlace|PreferredRegion, OtherPlace)
	for place, is := range places {
		if is == OtherPlace && slices.ContainsFunc(c.Locations, func(v string) bool { return regions[v] == regions[place] }) {
			places[place] |= PreferredRegion
		}
	}
	types := map[string]Fact{}
	for _, family := range families() {
		if slices.ContainsFunc(family, func(v string) bool { return slices.Contains(c.RoleTypes, v) }) {
			for _, v := range family {
				types[v] = NearType
			}
		}
	}
	for _, v := range c.RoleTypes {
		types[v] = SameType
	}
	return map[roleindex.Field]map[string]Fact{
		roleindex.Industry: industries, roleindex.FundingRound: rounds, roleindex.Workplace: workplaces,
		roleindex.Location: places, roleindex.RoleType: types,
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

//go:embed families.txt
var familyList string

var families = sync.OnceValue(func() (all [][]string) {
	for line := range strings.Lines(familyList) {
		types := strings.Fields(line)
		if len(types) > 0 && types[0] != "#" {
			all = append(all, types)
		}
	}
	return all
})

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

// regions are the areas in which one right to work is valid.
var regions = map[string]string{
	"boston": "us", "chicago": "us", "denver": "us", "florida": "us", "los_angeles": "us", "minnesota": "us", "new_york": "us",
	"sacramento": "us", "san_francisco": "us", "seattle": "us", "south_bay_area": "us", "texas": "us", "washington_dc": "us",
	"canada": "canada", "latam": "latam", "uk": "uk", "europe": "europe", "india": "india",
	"korea": "korea", "asia": "asia", "australia": "australia",
}
