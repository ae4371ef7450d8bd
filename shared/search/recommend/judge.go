package recommend

import "github.com/recruiting-marketplace/external-api/shared/search/roleindex"

// breaksConstraint reports whether a role breaks a constraint that its facets show.
// Remote work is bound to a region, because of the right to work; other work to a place.
func (c *Criteria) breaksConstraint(facts Fact) bool {
	if facts&Excluded != 0 || facts&OtherWorkplace != 0 {
		return true
	}
	within := facts&PreferredPlace != 0 || facts&remote != 0 && facts&PreferredRegion != 0
	return facts&OtherPlace != 0 && !within
}

// creditPlaces credits location and workplace of a role that meets their constraints.
func (c *Criteria) creditPlaces(r *Reasons, facts Fact) {
	switch {
	case facts&PreferredPlace != 0:
		r[Location] = 1
	case facts&PreferredRegion != 0:
		r[Location] = SameRegion
	default:
		r[Location] = Weights[Location].Unknown
	}
	r[Workplace] = creditPreferred(facts, PreferredWorkplace, OtherWorkplace, Workplace)
}

// creditWork credits the role type, the funding round and the visa.
func (c *Criteria) creditWork(r *Reasons, facts Fact) {
	switch {
	case facts&SameType != 0:
		r[RoleType] = 1
	case facts&NearType != 0:
		r[RoleType] = AdjacentType
	default:
		r[RoleType] = Weights[RoleType].Unknown
	}
	r[FundingRound] = creditPreferred(facts, PreferredRound, OtherRound, FundingRound)
	r[Visa] = Weights[Visa].Unknown
	if facts&sponsored != 0 || c.VisaNeeded {
		r[Visa] = 1
	}
}

// creditPreferred returns full credit for a preferred value, none for other values.
func creditPreferred(facts, preferred, other Fact, p Part) float64 {
	switch {
	case facts&preferred != 0:
		return 1
	case facts&other != 0:
		return 0
	}
	return Weights[p].Unknown
}

// skillShare returns the share of a role's stack that the candidate masters.
func skillShare(skills, stack int) float64 {
	if stack == 0 {
		return Weights[Skills].Unknown
	}
	return float64(skills) / float64(stack)
}

// creditNumbers credits salary, experience and company size.
func (c *Criteria) creditNumbers(r *Reasons, f roleindex.Figures) {
	r[Salary] = c.salaryCredit(f)
	r[Experience] = c.experienceCredit(f)
	r[CompanySize] = c.sizeCredit(f)
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
