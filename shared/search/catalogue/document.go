package catalogue

import (
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

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
