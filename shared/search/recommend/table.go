package recommend

import (
	"maps"
	"math"
	"slices"
	"time"

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
		Candidate: c, facts: c.valueFacts(), Sizes: sizeRanges(c.CompanySizes), Tenths: -1, Hour: int(now.Unix() / 3600),
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

// ranking compares the roles of a view with a candidate.
type ranking struct {
	*Criteria
	// ranked are facts of roles that are ranked already.
	ranked Fact
	// tables are by the segment's place in the view; listed are the skills that a role has.
	tables []*factTable
	listed map[string]bool
}

// factTable is the criteria by the numbers of one segment's facets.
type factTable struct {
	roleindex.Segment
	ranking *ranking
	facts   []Fact
	// stack is the first number of the tech stack, which is the last field.
	stack int
}

// tableFor returns the table of the segment at a place of the view, with the segment's roles.
func (r *ranking) tableFor(place int, s roleindex.Segment) *factTable {
	if place == len(r.tables) {
		r.tables = append(r.tables, r.newTable(s))
	}
	r.tables[place].Segment = s
	return r.tables[place]
}

func (r *ranking) newTable(s roleindex.Segment) *factTable {
	t := &factTable{Segment: s, ranking: r, facts: make([]Fact, min(s.FacetCount(), math.MaxUint16+1))}
	for field, values := range r.facts {
		for value, facts := range values {
			t.addFact(field, value, facts)
		}
	}
	for _, name := range r.Skills {
		if t.addFact(roleindex.TechStack, name, skill) {
			r.listed[name] = true
		}
	}
	t.stack, _ = s.FacetNumber(roleindex.TechStack, "")
	return t
}

// addFact adds what a value means. It reports whether a role of the segment has the value.
func (t *factTable) addFact(f roleindex.Field, value string, facts Fact) bool {
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
	var facts Fact
	i := 0
	for ; i < list.Len() && list.At(i) < t.stack; i++ {
		facts |= t.facts[list.At(i)]
	}
	if facts&t.ranking.ranked != 0 || breaksConstraint(facts) {
		return false
	}
	stack := list.Len() - i
	skills := 0
	for ; i < list.Len(); i++ {
		if t.facts[list.At(i)]&skill != 0 {
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

// creditFigures credits what a role's figures show. It reports whether the salary reaches the floor.
func (t *factTable) creditFigures(role int, r *Reasons) bool {
	figures := t.Figures(role)
	if figures.SalaryUpper > 0 && figures.SalaryUpper < t.ranking.Floor {
		return false
	}
	r[Salary] = t.ranking.salaryCredit(figures)
	r[Experience] = t.ranking.experienceCredit(figures)
	r[CompanySize] = t.ranking.sizeCredit(figures)
	r[Freshness] = fadingCredit(t.ranking.Hour-t.PostedHour(role), FreshHours)
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

// creditOf returns the credit of a part: full with one fact, some with another one, and with neither that of what is
// not known.
func creditOf(p Part, facts, full, partial Fact, some float64) float64 {
	switch {
	case facts&full != 0:
		return 1
	case facts&partial != 0:
		return some
	}
	return Weights[p].Unknown
}

func (c *Criteria) salaryCredit(f roleindex.Figures) float64 {
	switch {
	case f.SalaryUpper == 0 || c.Target == 0:
		return Weights[Salary].Unknown
	case f.SalaryUpper >= c.Target:
		return 1
	case c.Floor == 0:
		return float64(f.SalaryUpper) / float64(c.Target)
	}
	return FloorOnly + (1-FloorOnly)*float64(f.SalaryUpper-c.Floor)/float64(c.Target-c.Floor)
}

func (c *Criteria) experienceCredit(f roleindex.Figures) float64 {
	switch {
	case c.Tenths < 0 || f.YearsMin == 0 && f.YearsMax == 0:
		return Weights[Experience].Unknown
	case c.Tenths < f.YearsMin:
		return fadingCredit(f.YearsMin-c.Tenths, YearsBelow)
	case f.YearsMax > 0:
		return fadingCredit(c.Tenths-f.YearsMax, YearsAbove)
	}
	return 1
}

func (c *Criteria) sizeCredit(f roleindex.Figures) float64 {
	if len(c.Sizes) == 0 || f.CompanySize == 0 {
		return Weights[CompanySize].Unknown
	}
	for _, b := range c.Sizes {
		if b.Least <= f.CompanySize && f.CompanySize <= b.Most {
			return 1
		}
	}
	return 0
}

// fadingCredit returns 1 up to a distance of 0, and 0 from end on.
func fadingCredit(distance, end int) float64 {
	return min(1, max(0, 1-float64(distance)/float64(end)))
}
