package recommend

import "github.com/recruiting-marketplace/external-api/shared/search/roleindex"

// breaksConstraint tells whether a role breaks a constraint that its facets show. Remote
// work is bound to a region, for the right to work, other work to a place.
func (w *criteria) breaksConstraint(is fact) bool {
	if is&excluded != 0 || is&otherWorkplace != 0 {
		return true
	}
	within := is&preferredPlace != 0 || is&remote != 0 && is&preferredRegion != 0
	return is&otherPlace != 0 && !within
}

// creditPlaces credits location and workplace, neither of which is broken.
func (w *criteria) creditPlaces(r *Reasons, is fact) {
	switch {
	case is&preferredPlace != 0:
		r[Location] = 1
	case is&preferredRegion != 0:
		r[Location] = sameRegion
	default:
		r[Location] = Weights[Location].Unknown
	}
	r[Workplace] = creditPreferred(is, preferredWorkplace, otherWorkplace, Workplace)
}

// creditWork credits what kind of work it is, and for whom.
func (w *criteria) creditWork(r *Reasons, is fact) {
	switch {
	case is&sameType != 0:
		r[RoleType] = 1
	case is&nearType != 0:
		r[RoleType] = adjacentType
	}
	r[FundingRound] = creditPreferred(is, preferredRound, otherRound, FundingRound)
	r[Visa] = Weights[Visa].Unknown
	if is&sponsored != 0 || w.VisaNeeded {
		r[Visa] = 1
	}
}

// creditPreferred is full credit for what is wished, none for something else.
func creditPreferred(is, wished, other fact, p Part) float64 {
	switch {
	case is&wished != 0:
		return 1
	case is&other != 0:
		return 0
	}
	return Weights[p].Unknown
}

// skillShare is how much of a role's stack the candidate masters.
func skillShare(skills, stack int) float64 {
	if stack == 0 {
		return Weights[Skills].Unknown
	}
	return float64(skills) / float64(stack)
}

// creditNumbers credits what is measured.
func (w *criteria) creditNumbers(r *Reasons, f roleindex.Figures) {
	r[Salary], r[Experience], r[CompanySize] = w.salaryCredit(f), w.experienceCredit(f), w.sizeCredit(f)
}

func (w *criteria) salaryCredit(f roleindex.Figures) float64 {
	switch {
	case f.SalaryUpper == 0 || w.target == 0:
		return Weights[Salary].Unknown
	case f.SalaryUpper >= w.target:
		return 1
	case w.floor == 0:
		return float64(f.SalaryUpper) / float64(w.target)
	}
	return floorOnly + (1-floorOnly)*float64(f.SalaryUpper-w.floor)/float64(w.target-w.floor)
}

func (w *criteria) experienceCredit(f roleindex.Figures) float64 {
	switch {
	case w.years < 0 || f.YearsMin == 0 && f.YearsMax == 0:
		return Weights[Experience].Unknown
	case w.years < f.YearsMin:
		return fadingCredit(f.YearsMin-w.years, yearsBelow)
	case f.YearsMax > 0:
		return fadingCredit(w.years-f.YearsMax, yearsAbove)
	}
	return 1
}

func (w *criteria) sizeCredit(f roleindex.Figures) float64 {
	if len(w.sizes) == 0 || f.CompanySize == 0 {
		return Weights[CompanySize].Unknown
	}
	for _, b := range w.sizes {
		if b.least <= f.CompanySize && f.CompanySize <= b.most {
			return 1
		}
	}
	return 0
}

// fadingCredit is 1 up to a distance of 0 and 0 from end on.
func fadingCredit(distance, end int) float64 {
	return min(1, max(0, 1-float64(distance)/float64(end)))
}
