package recommend

import (
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Criteria is a candidate as another engine compares one with roles, to choose those that
// [Rank] is worth calling for: values of the contract's enumerations, numbers in the units of
// [roleindex.Figures].
type Criteria struct {
	// A role with an excluded industry or another workplace breaks a constraint.
	ExcludedIndustries, Workplaces, OtherWorkplaces []string
	// NearTypes include the SameTypes, RegionPlaces the Places.
	SameTypes, NearTypes              []string
	Places, RegionPlaces, OtherPlaces []string
	Rounds, OtherRounds               []string
	// Skills are folded.
	Skills []string
	Sizes  []SizeRange
	// Years is −1, Floor and Target 0 if unknown; Hour is the time of the request.
	Years, Floor, Target, Hour int
	VisaNeeded                 bool
}

// Criteria returns what the candidate asks of roles at a time.
func (c Candidate) Criteria(now time.Time) Criteria {
	w := newCriteria(c, now)
	with := func(f roleindex.Field, wanted fact) []string {
		return slices.Sorted(func(yield func(string) bool) {
			for value, is := range w.facts[f] {
				if is&wanted != 0 && !yield(value) {
					return
				}
			}
		})
	}
	out := Criteria{
		ExcludedIndustries: with(roleindex.Industry, excluded),
		Workplaces:         with(roleindex.Workplace, preferredWorkplace), OtherWorkplaces: with(roleindex.Workplace, otherWorkplace),
		SameTypes: with(roleindex.RoleType, sameType), NearTypes: with(roleindex.RoleType, sameType|nearType),
		Places: with(roleindex.Location, preferredPlace), RegionPlaces: with(roleindex.Location, preferredRegion),
		OtherPlaces: with(roleindex.Location, otherPlace),
		Rounds:      with(roleindex.FundingRound, preferredRound), OtherRounds: with(roleindex.FundingRound, otherRound),
		Years: w.years, Floor: w.floor, Target: w.target, Hour: w.hour, VisaNeeded: c.VisaNeeded, Sizes: w.sizes,
	}
	skills := map[string]bool{}
	for _, name := range c.Skills {
		skills[text.Fold(name)] = true
	}
	out.Skills = slices.Sorted(maps.Keys(skills))
	return out
}
