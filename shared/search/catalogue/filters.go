package catalogue

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// maxDays bounds the age of a role, in days, so that it fits a duration.
const maxDays = 100 * 365

// AddFilters restricts a query of non-nil AnyOf and Flags by every filter of the
// request. What the request asks of the caller's own roles, its text, its cursor and
// its limit are the handler's.
func AddFilters(q *roleindex.Query, in contract.ListRolesRequest, now time.Time) {
	acceptAny(q, roleindex.Location, in.Locations)
	acceptAny(q, roleindex.RoleType, in.RoleTypes)
	acceptAny(q, roleindex.Workplace, in.Workplaces)
	acceptAny(q, roleindex.Density, in.TalentDensities)
	acceptAny(q, roleindex.CompanyTier, in.CompanyTiers)
	acceptAny(q, roleindex.Industry, in.Industries)
	acceptAny(q, roleindex.FundingRound, in.FundingRounds)
	acceptAny(q, roleindex.TechStack, in.TechStack)
	q.Investors = append(q.Investors, in.Investors...)
	if in.RecruiterAvailability != nil {
		q.Flags[roleindex.SelfServeClosed] = *in.RecruiterAvailability == "not_available"
	}
	if in.VisaSponsorship != nil {
		q.Flags[roleindex.VisaSponsorship] = *in.VisaSponsorship
	}
	q.MinSalary = in.MinSalary
	q.MaxSalary = in.MaxSalary
	q.MinYears = in.MinYearsExperience
	q.MaxYears = in.MaxYearsExperience
	q.MinFeePercent = in.MinFeePercent
	q.MinCompanySize = in.MinCompanySize
	q.MaxCompanySize = in.MaxCompanySize
	if in.PostedWithinDays != nil {
		q.PostedSince = now.Add(-time.Duration(min(*in.PostedWithinDays, maxDays)) * 24 * time.Hour)
	}
}

func acceptAny[T ~string](q *roleindex.Query, f roleindex.Field, values []T) {
	if len(values) > 0 { // an empty list would accept no role
		q.AnyOf[f] = contract.ConvertValues[string](values)
	}
}
