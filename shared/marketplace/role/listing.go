package role

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Listing is what a catalogue finds a role by, as its caller may see it. Of what is
// withheld nothing is in it.
type Listing struct {
	ID, Name, Company, OneLiner, Description              string
	Status                                                string
	Places, Locations, RoleTypes, Industries, TechStack   []string // Places are shown, Locations keys
	Investors                                             []string
	Workplace, FundingRound, CompanyTier, Density         string
	SalaryLower, SalaryUpper                              float64
	YearsMin, YearsMax, FeePercent, CompanySize           float64
	BrowseRank                                            int
	PostedAt, UpdatedAt                                   time.Time
	Stealth, SelfServeClosed, StoppedReviewing, Sponsored bool
}

// Listing tells what the role is found by.
func (v View) Listing() Listing {
	r, c := v.role, v.company
	l := Listing{
		ID: v.id, Name: r.Title, Company: v.companyName(), OneLiner: or(c.OneLiner), Description: or(r.Description), Status: r.Status,
		Places: r.Locations, Locations: r.LocationKeys, RoleTypes: r.RoleTypes, Industries: c.Industries, TechStack: r.TechStack,
		Investors: c.Investors, Workplace: or(r.WorkplaceType), FundingRound: or(c.FundingRound), CompanyTier: or(c.Tier), Density: or(r.Density),
		SalaryLower: float64(or(r.Salary.Min)), SalaryUpper: float64(or(r.Salary.Max)),
		YearsMin: or(r.YearsMin), YearsMax: or(r.YearsMax), FeePercent: or(r.Fee.PercentOfSalary), CompanySize: or(c.Size),
		BrowseRank: int(r.BrowseRank), UpdatedAt: r.UpdatedAt.Time,
		Stealth: r.Visibility == Stealth, SelfServeClosed: r.NotAcceptingRecruiters && !v.caller.approved(),
		StoppedReviewing: v.metrics != nil && v.metrics.StoppedReviewing, Sponsored: or(r.VisaSponsorship),
	}
	if r.PostedAt != nil {
		l.PostedAt = r.PostedAt.Time
	}
	if l.SalaryUpper == 0 {
		l.SalaryUpper = l.SalaryLower
	}
	return l
}

// The statuses that mean something here.
const (
	// Active is that of a role that is open.
	Active = "ACTIVE"
	// Closed is that of a role that takes nobody any more.
	Closed = "CLOSED"
)

// Browsable tells whether the list of roles shows the role to its caller.
func (l Listing) Browsable() bool {
	return l.Status == Active && !l.SelfServeClosed && !l.StoppedReviewing
}

// Status is whether the role is open.
func (v View) Status() string { return v.role.Status }

// AgencyRow is the row of the agency's lists.
func (v View) AgencyRow() contract.AgencyRole {
	r := v.role
	row := contract.AgencyRole{
		ID: v.id, Title: r.Title, Status: r.Status, Locations: list(r.Locations), WorkplaceType: r.WorkplaceType,
		BaseSalary: r.Salary.base(), RoleTypes: list(r.RoleTypes), PostedAt: r.PostedAt, UpdatedAt: r.UpdatedAt,
		Company: contract.AgencyRoleCompany{
			Name: v.companyName(), ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
		},
	}
	if r.CompanyID != "" {
		row.Company.ID = &r.CompanyID
	}
	return row
}
