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
		e.restrict(s, wanted, func(seg *segment, passing set) {
			seg.addByFacet(FlagField, []string{string(f)}, passing)
			for _, id := range e.query.Waived[f] {
				if i, ok := seg.findOrdinal(id); ok {
					passing.remove(i)
				}
			}
		})
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
	passing := e.takeSet()
	for _, seg := range e.view.segments {
		fill(seg, seg.partOf(passing))
	}
	if wanted {
		s.and(passing)
	} else {
		s.andNot(passing)
	}
	e.releaseSets(passing)
}

func (s *segment) addByFacet(f Field, values []string, passing set) {
	l := s.lexicons[facetValues]
	for _, v := range values {
		low, high := l.terms.rangeOf(string(f.term(v)), false)
		l.addDocs(passing, s.n, low, high)
	}
}

// addByInvestor scans all names; there are hundreds, not thousands.
func (s *segment) addByInvestor(parts []string, passing set) {
	l := s.lexicons[investorNames]
	for _, part := range parts {
		folded := []byte(text.Fold(part))
		if len(folded) == 0 { // of marks alone, which are in every name
			continue
		}
		for i := range l.terms.len() {
			if bytes.Contains(l.terms.at(i), folded) {
				l.addDocs(passing, s.n, i, i+1)
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

// Bound is a filter on one of a role's numbers.
type Bound struct {
	Figure Figure
	// Least and Most are the least and the most accepted, in the unit of [Figures].
	Least, Most int
	// OrNone accepts 0, too.
	OrNone bool
}

// maxSalary caps a bound on salaries, in thousands (contract, GET /recruiter/roles).
const maxSalary = 999

// Bounds returns the query's filters on numbers. But for the end of a range of years, a number has to be known.
func (q *Query) Bounds() (all []Bound) {
	if q.MinSalary != nil || q.MaxSalary != nil { // the band overlaps the accepted one
		all = append(all, Bound{Figure: SalaryUpper, Least: max(1, roundOr(q.MinSalary, 1000, maxSalary, 0)), Most: math.MaxInt},
			Bound{Figure: SalaryLower, Most: roundOr(q.MaxSalary, 1000, maxSalary, math.MaxInt)})
	}
	if q.MinYears != nil || q.MaxYears != nil { // the range, which may have no end, overlaps the accepted one
		all = append(all, Bound{Figure: YearsMax, Least: roundOr(q.MinYears, 0.1, math.MaxInt, 0), Most: math.MaxInt, OrNone: true},
			Bound{Figure: YearsMin, Most: roundOr(q.MaxYears, 0.1, math.MaxInt, math.MaxInt)})
	}
	if q.MinCompanySize != nil || q.MaxCompanySize != nil {
		least := max(1, optional.Or(q.MinCompanySize, 0))
		all = append(all, Bound{Figure: CompanySize, Least: int(least), Most: int(optional.Or(q.MaxCompanySize, math.MaxInt))})
	}
	if q.MinFeePercent != nil {
		all = append(all, Bound{Figure: FeePercent, Least: max(1, RoundFee(*q.MinFeePercent)), Most: math.MaxInt})
	}
	if hour := int(postedHour(q.PostedSince)); hour > 0 {
		all = append(all, Bound{Figure: Hour, Least: hour, Most: math.MaxInt})
	}
	return all
}

func roundOr[T int64 | float64](v *T, unit float64, most, unset int) int {
	if v == nil {
		return unset
	}
	return min(most, roundToUnit(float64(*v), unit))
}

// acceptsDoc reports whether a document's numbers pass the bounds. Offered fees count in place of the documents' own.
func (t *topHits) acceptsDoc(ix *Index, i int) bool {
	for _, bound := range t.bounds {
		var v int
		switch bound.Figure {
		case Hour:
			v = int(hourOfKey(ix.keys.u64(i)))
		case CompanySize:
			v = ix.figures.u32(figureBytes/4*i + 3)
		default:
			v = ix.figures.u16(figureBytes/2*i + int(bound.Figure))
		}
		if bound.Figure == FeePercent {
			if percent, ok := t.offered[string(ix.ids.at(i))]; ok {
				v = RoundFee(percent)
			}
		}
		isNone := bound.OrNone && v == 0
		if !isNone && (v < bound.Least || v > bound.Most) {
			return false
		}
	}
	return true
}
