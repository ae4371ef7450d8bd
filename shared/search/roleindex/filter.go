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
	for _, seg := range e.view.segments {
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
	for _, seg := range e.view.segments {
		fill(seg, seg.partOf(s))
	}
	return s
}

func (s *segment) addByFacet(f Field, values []string, passing set) {
	for _, v := range values {
		low, high := s.facets.terms.rangeOf(string(f.appendTerm(nil, v)), false)
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
		if len(folded) == 0 { // of marks alone, which are in every name
			continue
		}
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

// Bounds are a query's filters on numbers, in the units of [Figures].
type Bounds struct {
	// Salary, Years and Size report which are bounded at all.
	Salary, Years, Size bool
	// Low and High are the least and the most accepted.
	Low, High Figures
	// Fee is the least accepted, −1 for any; Hour the first accepted, in hours since 1970.
	Fee, Hour int
}

// numberBounds are bounds with the fees that count in place of the documents' own, by ordinal.
type numberBounds struct {
	Bounds
	active  bool
	offered map[*Index]map[int]int
}

// offeredBounds returns the query's bounds with the offered fees of the view's roles.
func (e *evaluation) offeredBounds() numberBounds {
	b := numberBounds{Bounds: e.query.Bounds()}
	boundsRange := b.Salary || b.Years || b.Size
	b.active = boundsRange || b.Fee >= 0 || b.Hour > 0
	if b.Fee < 0 || len(e.query.OfferedFees) == 0 {
		return b
	}
	b.offered = map[*Index]map[int]int{}
	for _, seg := range e.view.segments {
		fees := map[int]int{}
		for id, percent := range e.query.OfferedFees {
			if i, ok := seg.findOrdinal(id); ok {
				fees[i] = RoundFee(percent)
			}
		}
		b.offered[seg.Index] = fees
	}
	return b
}

// maxSalary caps a bound on salaries, in thousands (contract, GET /recruiter/roles).
const maxSalary = 999

// Bounds returns the query's filters on numbers.
func (q *Query) Bounds() Bounds {
	b := Bounds{
		Salary: q.MinSalary != nil || q.MaxSalary != nil, Years: q.MinYears != nil || q.MaxYears != nil,
		Size: q.MinCompanySize != nil || q.MaxCompanySize != nil,
		Fee:  roundOptional(q.MinFeePercent, 0.01, -1), Hour: int(postedHour(q.PostedSince)),
	}
	b.Low.SalaryLower = roundThousands(q.MinSalary, 0)
	b.High.SalaryUpper = roundThousands(q.MaxSalary, math.MaxInt)
	b.Low.YearsMin = roundOptional(q.MinYears, 0.1, 0)
	b.High.YearsMax = roundOptional(q.MaxYears, 0.1, math.MaxInt)
	b.Low.CompanySize = int(optional.Or(q.MinCompanySize, 0))
	b.High.CompanySize = int(optional.Or(q.MaxCompanySize, math.MaxInt))
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
	if !b.active {
		return true
	}
	f := ix.figuresAt(i)
	if own, ok := b.offered[ix][i]; ok {
		f.FeePercent = own
	}
	switch {
	case b.Salary && !b.acceptsSalary(f):
		return false
	case b.Years && !b.acceptsYears(f):
		return false
	case b.Size && !b.acceptsSize(f):
		return false
	case b.Fee >= 0 && f.FeePercent < max(1, b.Fee): // 0 is unknown
		return false
	}
	return int(hourOfKey(ix.keys.u64(i))) >= b.Hour
}

// acceptsSalary reports whether a band is known and overlaps the accepted one.
func (b *Bounds) acceptsSalary(f Figures) bool {
	return f.SalaryUpper >= max(1, b.Low.SalaryLower) && f.SalaryLower <= b.High.SalaryUpper
}

// acceptsYears reports whether a range of years, which may have no end, overlaps the accepted one.
func (b *Bounds) acceptsYears(f Figures) bool {
	isLongEnough := f.YearsMax == 0 || f.YearsMax >= b.Low.YearsMin
	return isLongEnough && f.YearsMin <= b.High.YearsMax
}

// acceptsSize reports whether a head count is known and accepted.
func (b *Bounds) acceptsSize(f Figures) bool {
	return f.CompanySize >= max(1, b.Low.CompanySize) && f.CompanySize <= b.High.CompanySize
}
