package catalogue

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// filter maps a parameter of listRoles to the index's data for it.
type filter struct {
	// index enters a role into its document; nil where another parameter's filter does.
	index func(d *roleindex.Doc, r shownRole)
	// query restricts a query by the request's values of the parameter, if any.
	query func(q *roleindex.Query, in request)
}

// shownRole is a role as an index may know it.
type shownRole struct {
	role.Listing
	company         role.CompanyFacts
	selfServeClosed bool
}

// request is a request for roles and the time of its arrival.
type request struct {
	contract.ListRolesRequest
	now time.Time
}

// filters is the one mapping of filters, by the parameter's name in the contract. A
// new filter is a field of [contract.ListRolesRequest], one of [roleindex.Doc], and
// an entry here.
var filters = map[string]filter{
	"location": {func(d *roleindex.Doc, r shownRole) { d.Locations = r.LocationKeys },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.Location, in.Locations) }},
	"roleType": {func(d *roleindex.Doc, r shownRole) { d.RoleTypes = r.RoleTypes },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.RoleType, in.RoleTypes) }},
	"workplace": {func(d *roleindex.Doc, r shownRole) { d.Workplace = optional.Value(r.WorkplaceType) },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.Workplace, in.Workplaces) }},
	"talentDensity": {func(d *roleindex.Doc, r shownRole) { d.Density = optional.Value(r.Density) },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.Density, in.TalentDensities) }},
	"companyTier": {func(d *roleindex.Doc, r shownRole) { d.CompanyTier = optional.Value(r.company.Tier) },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.CompanyTier, in.CompanyTiers) }},
	"industry": {func(d *roleindex.Doc, r shownRole) { d.Industries = r.company.Industries },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.Industry, in.Industries) }},
	"fundingRound": {func(d *roleindex.Doc, r shownRole) { d.FundingRound = optional.Value(r.company.FundingRound) },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.FundingRound, in.FundingRounds) }},
	"techStack": {func(d *roleindex.Doc, r shownRole) { d.TechStack = r.TechStack },
		func(q *roleindex.Query, in request) { acceptAny(q, roleindex.TechStack, in.TechStack) }},
	"investors": {func(d *roleindex.Doc, r shownRole) { d.Investors = r.company.Investors },
		func(q *roleindex.Query, in request) { q.Investors = append(q.Investors, in.Investors...) }},
	"recruiterAvailability": {func(d *roleindex.Doc, r shownRole) { setFlag(d, roleindex.SelfServeClosed, r.selfServeClosed) },
		func(q *roleindex.Query, in request) {
			if in.RecruiterAvailability != nil {
				q.Flags[roleindex.SelfServeClosed] = *in.RecruiterAvailability == "not_available"
			}
		}},
	"visaSponsorship": {
		func(d *roleindex.Doc, r shownRole) {
			setFlag(d, roleindex.VisaSponsorship, optional.Value(r.VisaSponsorship))
		},
		func(q *roleindex.Query, in request) {
			if in.VisaSponsorship != nil {
				q.Flags[roleindex.VisaSponsorship] = *in.VisaSponsorship
			}
		}},
	"minSalary": {func(d *roleindex.Doc, r shownRole) { d.SalaryUpper = float64(optional.Value(r.Salary.Max)) },
		func(q *roleindex.Query, in request) { q.MinSalary = in.MinSalary }},
	"maxSalary": {func(d *roleindex.Doc, r shownRole) { d.SalaryLower = float64(optional.Value(r.Salary.Min)) },
		func(q *roleindex.Query, in request) { q.MaxSalary = in.MaxSalary }},
	"minYearsExperience": {func(d *roleindex.Doc, r shownRole) { d.YearsMax = optional.Value(r.YearsMax) },
		func(q *roleindex.Query, in request) { q.MinYears = in.MinYearsExperience }},
	"maxYearsExperience": {func(d *roleindex.Doc, r shownRole) { d.YearsMin = optional.Value(r.YearsMin) },
		func(q *roleindex.Query, in request) { q.MaxYears = in.MaxYearsExperience }},
	"minFeePercent": {func(d *roleindex.Doc, r shownRole) { d.FeePercent = optional.Value(r.Fee.PercentOfSalary) },
		func(q *roleindex.Query, in request) { q.MinFeePercent = in.MinFeePercent }},
	"minCompanySize": {func(d *roleindex.Doc, r shownRole) { d.CompanySize = int(optional.Value(r.company.Size)) },
		func(q *roleindex.Query, in request) { q.MinCompanySize = in.MinCompanySize }},
	"maxCompanySize": {nil, func(q *roleindex.Query, in request) { q.MaxCompanySize = in.MaxCompanySize }},
	"postedWithinDays": {func(d *roleindex.Doc, r shownRole) { d.PostedAt = optional.Value(r.PostedAt).Time },
		func(q *roleindex.Query, in request) {
			if in.PostedWithinDays != nil {
				q.PostedSince = in.now.Add(-time.Duration(min(*in.PostedWithinDays, maxDays)) * 24 * time.Hour)
			}
		}},
}

// maxDays bounds the age of a role, in days, so that it fits a duration.
const maxDays = 100 * 365

// AddFilters restricts a query of non-nil AnyOf and Flags by every filter of the
// request. What the request asks of the caller's own roles, its text, its cursor and
// its limit are the handler's.
func AddFilters(q *roleindex.Query, in contract.ListRolesRequest, now time.Time) {
	for _, f := range filters {
		f.query(q, request{in, now})
	}
}

func acceptAny[T ~string](q *roleindex.Query, f roleindex.Field, values []T) {
	if len(values) > 0 { // an empty list would accept no role
		q.AnyOf[f] = contract.ConvertValues[string](values)
	}
}

func setFlag(d *roleindex.Doc, f roleindex.Flag, holds bool) {
	if holds {
		d.Flags = append(d.Flags, f)
	}
}
