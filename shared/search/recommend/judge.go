package recommend

import "github.com/recruiting-marketplace/external-api/shared/search/roleindex"

// breaksConstraint reports whether a role breaks a constraint that its facets show.
// Remote work is bound to a region, because of the right to work; other work to a place.
func (c *criteria) breaksConstraint(facts fact) bool {
	if facts&excluded != 0 || facts&otherWorkplace != 0 {
		return true
	}
	within := facts&preferredPlace != 0 || facts&remote != 0 && facts&preferredRegion != 0
	return facts&otherPlace != 0 && !within
}

// creditPlaces credits location and workplace of a role that meets their constraints.
func (c *criteria) creditPlaces(r *Reasons, facts fact) {
	switch {
	case facts&preferredPlace != 0:
		r[Location] = 1
	case facts&preferredRegion != 0:
		r[Location] = SameRegion
	default:
		r[Location] = Weights[Location].Unknown
	}
	r[Workplace] = creditPreferred(facts, preferredWorkplace, otherWorkplace, Workplace)
}

// creditWork credits the role type, the funding round and the visa.
func (c *criteria) creditWork(r *Reasons, facts fact) {
	switch {
	case facts&sameType != 0:
		r[RoleType] = 1
	case facts&nearType != 0:
		r[RoleType] = AdjacentType
	default:
		r[RoleType] = Weights[RoleType].Unknown
	}
	r[FundingRound] = creditPreferred(facts, preferredRound, otherRound, FundingRound)
	r[Visa] = Weights[Visa].Unknown
	if facts&sponsored != 0 || c.VisaNeeded {
		r[Visa] = 1
	}
}

// creditPreferred returns full credit for a preferred value, none for other values.
func creditPreferred(facts, preferred, other fact, p Part) float64 {
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
func (c *criteria) creditNumbers(r *Reasons, f roleindex.Figures) {
	r[Salary] = c.salaryCredit(f)
	r[Experience] = c.experienceCredit(f)
	r[CompanySize] = c.sizeCredit(f)
}

func (c *criteria) salaryCredit(f roleindex.Figures) float64 {
	switch {
	case f.SalaryUpper == 0 || c.target == 0:
		return Weights[Salary].Unknown
	case f.SalaryUpper >= c.target:
		return 1
	case c.floor == 0:
		return float64(f.SalaryUpper) / float64(c.target)
	}
	return FloorOnly + (1-FloorOnly)*float64(f.SalaryUpper-c.floor)/float64(c.target-c.floor)
}

func (c *criteria) experienceCredit(f roleindex.Figures) float64 {
	switch {
	case c.years < 0 || f.YearsMin == 0 && f.YearsMax == 0:
		return Weights[Experience].Unknown
	case c.years < f.YearsMin:
		return fadingCredit(f.YearsMin-c.years, YearsBelow)
	case f.YearsMax > 0:
		return fadingCredit(c.years-f.YearsMax, YearsAbove)
	}
	return 1
}

func (c *criteria) sizeCredit(f roleindex.Figures) float64 {
	if len(c.sizes) == 0 || f.CompanySize == 0 {
		return Weights[CompanySize].Unknown
	}
	for _, b := range c.sizes {
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
