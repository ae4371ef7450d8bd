package recommend

import (
	"math"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// fact is what a facet of a role means to a candidate. A role's facts are combined by or.
type fact uint16

const (
	excluded fact = 1 << iota
	sameType
	nearType
	preferredPlace
	preferredRegion
	otherPlace
	preferredWorkplace
	otherWorkplace
	remote
	preferredRound
	otherRound
	sponsored
	skill // also counted
)

// criteria is a candidate in the units of the index.
type criteria struct {
	Candidate
	facts map[roleindex.Field]map[string]fact
	// sizes are the preferred head counts.
	sizes         []sizeRange
	years         int // in tenths, −1 unknown
	floor, target int // in thousands, 0 unknown
	hour          int
}

// newCriteria returns what every value of a role means to the candidate.
func newCriteria(c Candidate, now time.Time) *criteria {
	w := &criteria{Candidate: c, facts: c.valueFacts(), sizes: sizeRanges(c.CompanySizes), years: -1, hour: int(now.Unix() / 3600)}
	if c.Years != nil {
		w.years = int(math.Round(*c.Years * 10))
	}
	w.floor, w.target = roundThousands(c.SalaryFloor), roundThousands(max(c.SalaryTarget, c.SalaryFloor))
	return w
}

func roundThousands(v int64) int { return int(math.Round(float64(v) / 1000)) }

// factTable is the criteria by the numbers of one segment's facets.
type factTable struct {
	roleindex.Segment
	criteria *criteria
	facts    []fact
	// stack is the first number of the tech stack, which is the last field.
	stack int
}

func (c *criteria) tableFor(s roleindex.Segment) *factTable {
	t := &factTable{Segment: s, criteria: c, facts: make([]fact, min(s.FacetCount(), math.MaxUint16+1))}
	for field, values := range c.facts {
		for value, facts := range values {
			t.addFact(field, value, facts)
		}
	}
	for _, name := range c.Skills {
		t.addFact(roleindex.TechStack, name, skill)
	}
	t.stack, _ = s.FacetNumber(roleindex.TechStack, "")
	return t
}

func (t *factTable) addFact(f roleindex.Field, value string, facts fact) {
	if n, ok := t.FacetNumber(f, value); ok && n < len(t.facts) {
		t.facts[n] |= facts
	}
}

// reasonsFor returns the credits of a role. ok is false if the role breaks a constraint,
// or if neither type nor stack fit: then no score is sufficient.
func (t *factTable) reasonsFor(role int) (r Reasons, ok bool) {
	list := t.Facets(role)
	var facts fact
	i := 0
	for ; i < list.Len() && list.At(i) < t.stack; i++ {
		facts |= t.facts[list.At(i)]
	}
	if t.criteria.breaksConstraint(facts) {
		return r, false
	}
	stack, skills := list.Len()-i, 0
	for ; i < list.Len(); i++ {
		if t.facts[list.At(i)]&skill != 0 {
			skills++
		}
	}
	if facts&(sameType|nearType) == 0 && skills == 0 {
		return r, false
	}
	figures := t.Figures(role)
	if figures.SalaryUpper > 0 && figures.SalaryUpper < t.criteria.floor {
		return r, false
	}
	t.criteria.creditPlaces(&r, facts)
	t.criteria.creditWork(&r, facts)
	r[Skills] = skillShare(skills, stack)
	t.criteria.creditNumbers(&r, figures)
	r[Freshness] = fadingCredit(t.criteria.hour-t.PostedHour(role), FreshHours)
	return r, true
}
