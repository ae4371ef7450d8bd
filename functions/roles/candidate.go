package roles

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
)

// needsVisa is the answer of a candidate who needs a visa still.
const needsVisa = "NEEDS_NEW_VISA_AUTHORIZATION"

// matcherCandidate is a candidate as the matcher takes one: the newest preferences, and what
// resume and profile say. What kind of work is sought is read off the present title
// where no preference says it.
func matcherCandidate(c crm.Candidate) recommend.Candidate {
	w := recommend.Candidate{Skills: collectSkills(c), Years: c.YearsOfExperience}
	if p := c.NewestPreferences(); p != nil {
		w.RoleTypes, w.Locations, w.Workplaces = p.RoleTypes, p.Locations, p.Workplace
		w.FundingRounds, w.CompanySizes, w.ExcludedIndustries = p.FundingRounds, p.CompanySizes, p.ExcludedIndustries
		w.SalaryFloor, w.SalaryTarget = known(p.SalaryMin), known(p.SalaryMax)
		w.VisaNeeded = slices.Contains(p.VisaAuthorization, needsVisa)
	}
	if len(w.RoleTypes) == 0 {
		w.RoleTypes = recommend.RoleTypesOf(known(c.CurrentRole.Title))
	}
	return w
}

// collectSkills are those listed and what could be one in the texts.
func collectSkills(c crm.Candidate) []string {
	texts := []string{known(c.OneLiner)}
	for _, e := range c.Experiences {
		texts = append(texts, known(e.Title), known(e.Description))
	}
	return append(slices.Clone(c.Skills), recommend.SkillTerms(texts...)...)
}

func known[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
