package recommend

import (
	"math"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// fact is what a facet of a role means to a candidate; a role's are united.
type fact uint16

const (
	excluded fact = 1 << iota
	sameType
	nearType
	wishedPlace
	wishedRegion
	otherPlace
	wishedWorkplace
	otherWorkplace
	remote
	wishedRound
	otherRound
	sponsored
	skill // counted besides
)

// wish is a candidate as roles are measured by.
type wish struct {
	Candidate
	facts map[roleindex.Field]map[string]fact
	// sizes are the wished head counts.
	sizes        []band
	years        int // in tenths, −1 unknown
	floor, hoped int // in thousands, 0 unknown
	hour         int
}

// wish says what every value means to the candidate.
func (c Candidate) wish(now time.Time) *wish {
	w := &wish{Candidate: c, facts: c.facts(), sizes: bandsOf(c.CompanySizes), years: -1, hour: int(now.Unix() / 3600)}
	if c.Years != nil {
		w.years = int(math.Round(*c.Years * 10))
	}
	w.floor, w.hoped = thousands(c.SalaryFloor), thousands(max(c.SalaryHoped, c.SalaryFloor))
	return w
}

func thousands(v int64) int { return int(math.Round(float64(v) / 1000)) }

// table is a wish for one segment, by the numbers of its facets.
type table struct {
	roleindex.Segment
	wish  *wish
	facts []fact
	// stack is the number at which the tech stack begins: it stands last.
	stack int
}

func (w *wish) of(s roleindex.Segment) *table {
	t := &table{Segment: s, wish: w, facts: make([]fact, min(s.FacetCount(), math.MaxUint16+1))}
	for field, values := range w.facts {
		for value, is := range values {
			t.set(field, value, is)
		}
	}
	for _, name := range w.Skills {
		t.set(roleindex.TechStack, name, skill)
	}
	t.stack, _ = s.FacetNumber(roleindex.TechStack, "")
	return t
}

func (t *table) set(f roleindex.Field, value string, is fact) {
	if n, ok := t.FacetNumber(f, value); ok && n < len(t.facts) {
		t.facts[n] |= is
	}
}

// judge tells what speaks for a role; ok is false where a constraint is broken and
// where neither type nor stack fits, with which no score is enough.
func (t *table) judge(role int) (r Reasons, ok bool) {
	list := t.Facets(role)
	var is fact
	i := 0
	for ; i < list.Len() && list.At(i) < t.stack; i++ {
		is |= t.facts[list.At(i)]
	}
	if t.wish.broken(is) {
		return r, false
	}
	stack, skills := list.Len()-i, 0
	for ; i < list.Len(); i++ {
		if t.facts[list.At(i)]&skill != 0 {
			skills++
		}
	}
	if is&(sameType|nearType) == 0 && skills == 0 {
		return r, false
	}
	figures := t.Figures(role)
	if figures.SalaryUpper > 0 && figures.SalaryUpper < t.wish.floor {
		return r, false
	}
	t.wish.places(&r, is)
	t.wish.work(&r, is)
	r[Skills] = share(skills, stack)
	t.wish.numbers(&r, figures)
	r[Freshness] = fading(t.wish.hour-t.PostedHour(role), freshHours)
	return r, true
}
