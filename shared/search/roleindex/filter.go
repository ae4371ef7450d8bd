package roleindex

import (
	"bytes"
	"math"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// applySetFilters returns the live documents that pass every filter that the index keeps as sets.
func (e *evaluation) applySetFilters() set {
	s := e.takeSet()
	for i := range e.view.segments {
		seg := &e.view.segments[i]
		copy(seg.partOf(s), seg.live)
	}
	for field, values := range e.query.AnyOf {
		e.restrict(s, true, func(seg *segment, passing set) { seg.addByFacet(field, values, passing) })
	}
	for f, wanted := range e.query.Flags {
		e.restrict(s, wanted, func(seg *segment, passing set) { seg.addByFlag(f, e.query.Waived[f], passing) })
	}
	if e.query.Investors != nil {
		e.restrict(s, true, func(seg *segment, passing set) { seg.addByInvestor(e.query.Investors, passing) })
	}
	if e.query.Only != nil {
		e.restrict(s, true, func(seg *segment, passing set) { seg.addByID(e.query.Only, passing) })
	}
	if len(e.query.Exclude) > 0 {
		e.restrict(s, false, func(seg *segment, passing set) { seg.addByID(e.query.Exclude, passing) })
	}
	return s
}

// restrict removes from s what fill does not add to a set, or, unless wanted, what it adds.
func (e *evaluation) restrict(s set, wanted bool, fill func(*segment, set)) {
	passing := e.collectSet(fill)
	if wanted {
		s.and(passing)
	} else {
		s.andNot(passing)
	}
	e.releaseSets(passing)
}

func (e *evaluation) collectSet(fill func(*segment, set)) set {
	s := e.takeSet()
	for i := range e.view.segments {
		seg := &e.view.segments[i]
		fill(seg, seg.partOf(s))
	}
	return s
}

func (s *segment) addByFacet(f Field, values []string, passing set) {
	for _, v := range values {
		low, high := s.facets.termRange(string(f.appendTerm(nil, v)), false)
		s.facets.addDocs(passing, s.n, low, high)
	}
}

func (s *segment) addByFlag(f Flag, waived []string, passing set) {
	s.addByFacet(FlagField, []string{string(f)}, passing)
	for _, id := range waived {
		if i, ok := s.findOrdinal(id); ok {
			passing.remove(i)
		}
	}
}

// addByInvestor scans all names; there are hundreds, not thousands.
func (s *segment) addByInvestor(parts []string, passing set) {
	for _, part := range parts {
		folded := []byte(text.Fold(part))
		for i := range s.investors.terms.len() {
			if bytes.Contains(s.investors.terms.at(i), folded) {
				s.investors.addDocs(passing, s.n, i, i+1)
			}
		}
	}
}

func (s *segment) addByID(ids []string, passing set) {
	for _, id := range ids {
		if i, ok := s.findOrdinal(id); ok {
			passing.add(i)
		}
	}
}

// numberBounds are the query's filters on numbers, in the index's units.
type numberBounds struct {
	salary, years, size bool
	low, high           Figures // the least and the most accepted
	fee                 int     // least accepted, −1 for any
	hour                uint64  // least accepted
	active              bool
	// offered are the fees that count in place of the documents' own, by ordinal.
	offered map[*Index]map[int]int
}

// offeredBounds returns the query's bounds with the offered fees of the view's roles.
func (e *evaluation) offeredBounds() numberBounds {
	b := e.query.numberBounds()
	if b.fee < 0 || len(e.query.OfferedFees) == 0 {
		return b
	}
	b.offered = map[*Index]map[int]int{}
	for i := range e.view.segments {
		seg, fees := &e.view.segments[i], map[int]int{}
		for id, percent := range e.query.OfferedFees {
			if i, ok := seg.findOrdinal(id); ok {
				fees[i] = roundToUnit(percent, 0.01)
			}
		}
		b.offered[seg.Index] = fees
	}
	return b
}

// maxSalary caps a bound on salaries, in thousands (contract, GET /recruiter/roles).
const maxSalary = 999

func (q *Query) numberBounds() numberBounds {
	b := numberBounds{fee: -1, high: Figures{SalaryUpper: math.MaxInt, YearsMax: math.MaxInt, CompanySize: math.MaxInt}}
	if b.salary = q.MinSalary != nil || q.MaxSalary != nil; b.salary {
		b.low.SalaryLower, b.high.SalaryUpper = roundThousands(q.MinSalary, 0), roundThousands(q.MaxSalary, math.MaxInt)
	}
	if b.years = q.MinYears != nil || q.MaxYears != nil; b.years {
		b.low.YearsMin, b.high.YearsMax = roundOptional(q.MinYears, 0.1, 0), roundOptional(q.MaxYears, 0.1, math.MaxInt)
	}
	if b.size = q.MinCompanySize != nil || q.MaxCompanySize != nil; b.size {
		b.low.CompanySize, b.high.CompanySize = int(optional.Or(q.MinCompanySize, 0)), int(optional.Or(q.MaxCompanySize, math.MaxInt))
	}
	b.fee = roundOptional(q.MinFeePercent, 0.01, -1)
	b.hour = postedHour(q.PostedSince)
	b.active = b.salary || b.years || b.size || b.fee >= 0 || b.hour > 0
	return b
}

func roundThousands(v *int64, unset int) int {
	if v == nil {
		return unset
	}
	return min(maxSalary, roundToUnit(float64(*v), 1000))
}

func roundOptional(v *float64, unit float64, unset int) int {
	if v == nil {
		return unset
	}
	return roundToUnit(*v, unit)
}

// acceptsDoc reports whether a document's numbers pass.
func (b *numberBounds) acceptsDoc(ix *Index, i int) bool {
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
	return hourOfKey(ix.keys.u64(i)) >= b.hour
}
