package catalogue

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
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
		q.Flags[roleindex.SelfServeClosed] = *in.RecruiterAvailability == contract.RecruiterAvailabilityNotAvailable
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

// OffBrowse adds a flag to those of package roleindex: the role is closed or
// paused, accepts no recruiters, or its submissions are not reviewed.
const OffBrowse roleindex.Flag = "off_browse"

// newDoc returns what an index knows of a role as a caller may see it.
func newDoc(v role.View) roleindex.Doc {
	l := v.Listing()
	c := v.Company()
	d := roleindex.Doc{
		ID: v.ID(), BrowseRank: int(l.BrowseRank), PostedAt: optional.Value(l.PostedAt).Time, UpdatedAt: l.UpdatedAt.Time,
		Name: l.Title, Company: c.Name, OneLiner: optional.Value(c.OneLiner), Description: roleindex.TruncateProse(v.Description()),
		Places: l.Locations, Locations: l.LocationKeys, RoleTypes: l.RoleTypes, Industries: c.Industries,
		Workplace: optional.Value(l.WorkplaceType), FundingRound: optional.Value(c.FundingRound), CompanyTier: optional.Value(c.Tier),
		Density: optional.Value(l.Density), Status: string(l.Status), TechStack: l.TechStack, Investors: c.Investors,
		SalaryLower: float64(optional.Value(l.Salary.Min)), SalaryUpper: float64(optional.Value(l.Salary.Max)),
		YearsMin: optional.Value(l.YearsMin), YearsMax: optional.Value(l.YearsMax),
		FeePercent: optional.Value(l.Fee.PercentOfSalary), CompanySize: int(optional.Value(c.Size)),
	}
	setFlag(&d, roleindex.SelfServeClosed, v.SelfServeClosed())
	setFlag(&d, roleindex.VisaSponsorship, optional.Value(l.VisaSponsorship))
	setFlag(&d, roleindex.StoppedReviewing, v.StoppedReviewing())
	setFlag(&d, OffBrowse, !v.Browsable())
	return d
}

func setFlag(d *roleindex.Doc, f roleindex.Flag, holds bool) {
	if holds {
		d.Flags = append(d.Flags, f)
	}
}

// approvedCaller sees a stealth role as it is.
var approvedCaller = role.Caller{
	Involvement: role.Involvement{Assignment: &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved)}},
}

// NewRoleDocs returns the documents of a role.
func NewRoleDocs(id string, r role.Unredacted) roleindex.RoleDocs {
	stranger := role.Redact(r, role.Caller{})
	shared := newDoc(stranger)
	d := roleindex.RoleDocs{ID: id, Revision: r.Revision(), Shared: &shared}
	if stranger.Listing().Visibility == contract.RoleVisibilityStealth {
		own := newDoc(role.Redact(r, approvedCaller))
		own.Flags = shared.Flags // a query says which of them do not bind its caller
		d.Approved = &own
	}
	return d
}

// docsIn returns the documents of roles in one of the two indexes by their ids. Of several states of a role, the last counts.
func docsIn(roles []roleindex.RoleDocs, index int) map[string]*roleindex.Doc {
	docs := make(map[string]*roleindex.Doc, len(roles))
	for _, d := range roles {
		docs[d.ID] = [...]*roleindex.Doc{sharedIndex: d.Shared, approvedIndex: d.Approved}[index]
	}
	return docs
}
