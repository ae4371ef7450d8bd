package roles

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
)

// needsVisa is the visa status of a candidate who still needs a visa.
const needsVisa = "NEEDS_NEW_VISA_AUTHORIZATION"

// matcherCandidate returns a candidate as package recommend takes one: the newest
// preferences, and what resume and profile say. Without a preferred role type, the
// current title says which it is.
func matcherCandidate(c crm.Candidate) recommend.Candidate {
	out := recommend.Candidate{Skills: collectSkills(c), Years: c.YearsOfExperience}
	if p := c.NewestPreferences(); p != nil {
		out.RoleTypes = p.RoleTypes
		out.Locations = p.Locations
		out.Workplaces = p.Workplace
		out.FundingRounds = p.FundingRounds
		out.CompanySizes = p.CompanySizes
		out.ExcludedIndustries = p.ExcludedIndustries
		out.SalaryFloor = optional.Value(p.SalaryMin)
		out.SalaryTarget = optional.Value(p.SalaryMax)
		out.VisaNeeded = slices.Contains(p.VisaAuthorization, needsVisa)
	}
	if len(out.RoleTypes) == 0 {
		out.RoleTypes = recommend.RoleTypesOf(optional.Value(c.CurrentRole.Title))
	}
	return out
}

// collectSkills returns the listed skills and what could be one in the texts.
func collectSkills(c crm.Candidate) []string {
	texts := []string{optional.Value(c.OneLiner)}
	for _, e := range c.Experiences {
		texts = append(texts, optional.Value(e.Title), optional.Value(e.Description))
	}
	return append(slices.Clone(c.Skills), recommend.SkillTerms(texts...)...)
}
