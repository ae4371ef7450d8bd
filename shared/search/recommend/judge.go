package recommend

import "github.com/recruiting-marketplace/external-api/shared/search/roleindex"

// broken tells whether a role breaks a constraint that its facets show. Remote
// work is bound to a region, for the right to work, other work to a place.
func (w *wish) broken(is fact) bool {
	if is&excluded != 0 || is&otherWorkplace != 0 {
		return true
	}
	within := is&wishedPlace != 0 || is&remote != 0 && is&wishedRegion != 0
	return is&otherPlace != 0 && !within
}

// places credits location and workplace, neither of which is broken.
func (w *wish) places(r *Reasons, is fact) {
	switch {
	case is&wishedPlace != 0:
		r[Location] = 1
	case is&wishedRegion != 0:
		r[Location] = sameRegion
	default:
		r[Location] = Weights[Location].Unknown
	}
	r[Workplace] = either(is, wishedWorkplace, otherWorkplace, Workplace)
}

// work credits what kind of work it is, and for whom.
func (w *wish) work(r *Reasons, is fact) {
	switch {
	case is&sameType != 0:
		r[RoleType] = 1
	case is&nearType != 0:
		r[RoleType] = adjacentType
	}
	r[FundingRound] = either(is, wishedRound, otherRound, FundingRound)
	r[Visa] = Weights[Visa].Unknown
	if is&sponsored != 0 || w.VisaNeeded {
		r[Visa] = 1
	}
}

// either is full credit for what is wished, none for something else.
func either(is, wished, other fact, p Part) float64 {
	switch {
	case is&wished != 0:
		return 1
	case is&other != 0:
		return 0
	}
	return Weights[p].Unknown
}

// share is how much of a role's stack the candidate masters.
func share(skills, stack int) float64 {
	if stack == 0 {
		return Weights[Skills].Unknown
	}
	return float64(skills) / float64(stack)
}

// numbers credits what is measured.
func (w *wish) numbers(r *Reasons, f roleindex.Figures) {
	r[Salary], r[Experience], r[CompanySize] = w.salary(f), w.experience(f), w.size(f)
}

func (w *wish) salary(f roleindex.Figures) float64 {
	switch {
	case f.SalaryUpper == 0 || w.hoped == 0:
		return Weights[Salary].Unknown
	case f.SalaryUpper >= w.hoped:
		return 1
	case w.floor == 0:
		return float64(f.SalaryUpper) / float64(w.hoped)
	}
	return floorOnly + (1-floorOnly)*float64(f.SalaryUpper-w.floor)/float64(w.hoped-w.floor)
}

func (w *wish) experience(f roleindex.Figures) float64 {
	switch {
	case w.years < 0 || f.YearsMin == 0 && f.YearsMax == 0:
		return Weights[Experience].Unknown
	case w.years < f.YearsMin:
		return fading(f.YearsMin-w.years, yearsBelow)
	case f.YearsMax > 0:
		return fading(w.years-f.YearsMax, yearsAbove)
	}
	return 1
}

func (w *wish) size(f roleindex.Figures) float64 {
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

// fading is 1 up to a distance of 0 and 0 from end on.
func fading(distance, end int) float64 {
	return min(1, max(0, 1-float64(distance)/float64(end)))
}
