package recommend

import "github.com/recruiting-marketplace/external-api/shared/search/roleindex"

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
