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
	sizes         []SizeRange
	years         int // in tenths, −1 unknown
	floor, target int // in thousands, 0 unknown
	hour          int
	// ranked are facts of roles that are ranked already.
	ranked fact
	// tables are by the segment's place in its view; listed are the skills that a role has.
	tables []*factTable
	listed map[string]bool
}

// newCriteria returns what every value of a role means to the candidate.
func newCriteria(c Candidate, now time.Time) *criteria {
	w := &criteria{
		Candidate: c, facts: c.valueFacts(), sizes: sizeRanges(c.CompanySizes), years: -1,
		hour: int(now.Unix() / 3600), listed: map[string]bool{},
	}
	if c.Years != nil {
		w.years = int(math.Round(*c.Years * 10))
	}
	w.floor = roundThousands(c.SalaryFloor)
	w.target = roundThousands(max(c.SalaryTarget, c.SalaryFloor))
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

// tableFor returns the table of the segment at a place of the view, with the segment's roles.
func (c *criteria) tableFor(place int, s roleindex.Segment) *factTable {
	if place == len(c.tables) {
		c.tables = append(c.tables, c.newTable(s))
	}
	c.tables[place].Segment = s
	return c.tables[place]
}

func (c *criteria) newTable(s roleindex.Segment) *factTable {
	t := &factTable{Segment: s, criteria: c, facts: make([]fact, min(s.FacetCount(), math.MaxUint16+1))}
	for field, values := range c.facts {
		for value, facts := range values {
			t.addFact(field, value, facts)
		}
	}
	for _, name := range c.Skills {
		if t.addFact(roleindex.TechStack, name, skill) {
			c.listed[name] = true
		}
	}
	t.stack, _ = s.FacetNumber(roleindex.TechStack, "")
	return t
}

// addFact adds what a value means. It reports whether a role of the segment has the value.
func (t *factTable) addFact(f roleindex.Field, value string, facts fact) bool {
	n, ok := t.FacetNumber(f, value)
	ok = ok && n < len(t.facts)
	if ok {
		t.facts[n] |= facts
	}
	return ok
}

// creditFacets credits what a role's facets show, and everything else fully: no credits of the role's
// figures can make its score higher. It reports whether the role is not ranked yet, breaks no
// constraint, and type or stack fit, without which no score is sufficient.
func (t *factTable) creditFacets(role int, r *Reasons) bool {
	list := t.Facets(role)
	var facts fact
	i := 0
	for ; i < list.Len() && list.At(i) < t.stack; i++ {
		facts |= t.facts[list.At(i)]
	}
	if facts&t.criteria.ranked != 0 || t.criteria.breaksConstraint(facts) {
		return false
	}
	stack := list.Len() - i
	skills := 0
	for ; i < list.Len(); i++ {
		if t.facts[list.At(i)]&skill != 0 {
			skills++
		}
	}
	if facts&(sameType|nearType) == 0 && skills == 0 {
		return false
	}
	*r = fullCredit
	t.criteria.creditPlaces(r, facts)
	t.criteria.creditWork(r, facts)
	r[Skills] = skillShare(skills, stack)
	return true
}

// creditFigures credits what a role's figures show. It reports whether the salary reaches the floor.
func (t *factTable) creditFigures(role int, r *Reasons) bool {
	figures := t.Figures(role)
	if figures.SalaryUpper > 0 && figures.SalaryUpper < t.criteria.floor {
		return false
	}
	t.criteria.creditNumbers(r, figures)
	r[Freshness] = fadingCredit(t.criteria.hour-t.PostedHour(role), FreshHours)
	return true
}
