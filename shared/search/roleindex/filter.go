package roleindex

import (
	"bytes"
	"math"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// filtered gives the living documents that pass everything that is kept as sets.
func (e *evaluation) filtered() set {
	s := e.take()
	for i := range e.view.segments {
		seg := &e.view.segments[i]
		copy(seg.part(s), seg.live)
	}
	for field, values := range e.query.Any {
		e.keep(s, func(seg *segment, passing set) { seg.withFacets(field, values, passing) })
	}
	for f, wanted := range e.query.Flags {
		having := func(seg *segment, passing set) { seg.withFlag(f, e.query.Waived[f], passing) }
		if wanted {
			e.keep(s, having)
		} else {
			e.drop(s, having)
		}
	}
	if e.query.Investors != nil {
		e.keep(s, func(seg *segment, passing set) { seg.withInvestors(e.query.Investors, passing) })
	}
	if e.query.Only != nil {
		e.keep(s, func(seg *segment, passing set) { seg.withIDs(e.query.Only, passing) })
	}
	if len(e.query.Exclude) > 0 {
		e.drop(s, func(seg *segment, passing set) { seg.withIDs(e.query.Exclude, passing) })
	}
	return s
}

// keep leaves in s what passing is given.
func (e *evaluation) keep(s set, fill func(*segment, set)) {
	passing := e.gather(fill)
	s.and(passing)
	e.give(passing)
}

// drop takes out of s what passing is given.
func (e *evaluation) drop(s set, fill func(*segment, set)) {
	passing := e.gather(fill)
	s.andNot(passing)
	e.give(passing)
}

func (e *evaluation) gather(fill func(*segment, set)) set {
	s := e.take()
	for i := range e.view.segments {
		seg := &e.view.segments[i]
		fill(seg, seg.part(s))
	}
	return s
}

func (s *segment) withFacets(f Field, values []string, passing set) {
	for _, v := range values {
		low, high := s.facets.literal(string(f.term(nil, v)), false)
		s.facets.union(passing, s.n, low, high)
	}
}

func (s *segment) withFlag(f Flag, waived []string, passing set) {
	s.withFacets(Flagged, []string{string(f)}, passing)
	for _, id := range waived {
		if i, ok := s.find(id); ok {
			passing.remove(i)
		}
	}
}

// withInvestors looks through all names; there are hundreds, not thousands.
func (s *segment) withInvestors(parts []string, passing set) {
	for _, part := range parts {
		folded := []byte(text.Fold(part))
		for i := range s.investors.terms.len() {
			if bytes.Contains(s.investors.terms.at(i), folded) {
				s.investors.union(passing, s.n, i, i+1)
			}
		}
	}
}

func (s *segment) withIDs(ids []string, passing set) {
	for _, id := range ids {
		if i, ok := s.find(id); ok {
			passing.add(i)
		}
	}
}

// bounds are the query's filters on numbers, in the index's units.
type bounds struct {
	salary, years, size bool
	low, high           Figures // SalaryLower … CompanySize: the least and the most accepted
	fee                 int     // least accepted, −1 any
	hour                uint64  // least accepted
	active              bool
	// offered are the fees that count in the place of documents' own.
	offered map[*Index]map[int]int
}

// bounds are the query's, with the fees of the roles that the view has.
func (e *evaluation) bounds() bounds {
	b := e.query.bounds()
	if b.fee < 0 || len(e.query.Fees) == 0 {
		return b
	}
	b.offered = map[*Index]map[int]int{}
	for i := range e.view.segments {
		seg, fees := &e.view.segments[i], map[int]int{}
		for id, percent := range e.query.Fees {
			if i, ok := seg.find(id); ok {
				fees[i] = rounded(percent, 0.01)
			}
		}
		b.offered[seg.Index] = fees
	}
	return b
}

// maxSalary is what a larger bound is read as, in thousands (contract, GET /recruiter/roles).
const maxSalary = 999

func (q *Query) bounds() bounds {
	b := bounds{fee: -1, high: Figures{SalaryUpper: math.MaxInt, YearsMax: math.MaxInt, CompanySize: math.MaxInt}}
	if b.salary = q.MinSalary != nil || q.MaxSalary != nil; b.salary {
		b.low.SalaryLower, b.high.SalaryUpper = thousands(q.MinSalary, 0), thousands(q.MaxSalary, math.MaxInt)
	}
	if b.years = q.MinYears != nil || q.MaxYears != nil; b.years {
		b.low.YearsMin, b.high.YearsMax = scaled(q.MinYears, 0.1, 0), scaled(q.MaxYears, 0.1, math.MaxInt)
	}
	if b.size = q.MinCompanySize != nil || q.MaxCompanySize != nil; b.size {
		b.low.CompanySize, b.high.CompanySize = or(q.MinCompanySize, 0), or(q.MaxCompanySize, math.MaxInt)
	}
	b.fee = scaled(q.MinFeePercent, 0.01, -1)
	b.hour = postedHour(q.PostedSince)
	b.active = b.salary || b.years || b.size || b.fee >= 0 || b.hour > 0
	return b
}

func thousands(v *int, unset int) int {
	if v == nil {
		return unset
	}
	return min(maxSalary, rounded(float64(*v), 1000))
}

func scaled(v *float64, unit float64, unset int) int {
	if v == nil {
		return unset
	}
	return rounded(*v, unit)
}

func or(v *int, unset int) int {
	if v == nil {
		return unset
	}
	return *v
}

// accept tells whether a document's numbers pass.
func (b *bounds) accept(ix *Index, i int) bool {
	f := ix.figuresAt(i)
	if own, ok := b.offered[ix][i]; ok {
		f.FeePercent = own
	}
	switch {
	case b.salary && (f.SalaryUpper == 0 || f.SalaryUpper < b.low.SalaryLower || f.SalaryLower > b.high.SalaryUpper):
		return false
	case b.years && (f.YearsMax != 0 && f.YearsMax < b.low.YearsMin || f.YearsMin > b.high.YearsMax):
		return false
	case b.size && (f.CompanySize == 0 || f.CompanySize < b.low.CompanySize || f.CompanySize > b.high.CompanySize):
		return false
	case b.fee >= 0 && (f.FeePercent == 0 || f.FeePercent < b.fee):
		return false
	}
	return hourOf(ix.keys.u64(i)) >= b.hour
}
