// Package browse brings the role catalogue together: the indexes (catalog), their
// generations and the log of changes (snapshot), and the roles themselves (role).
// It belongs to no function: one publishes the catalogue and another serves it.
//
// There are two indexes. The shared one has every role as a stranger may see it. The
// other has the stealth roles as they are, and a caller is shown those that the
// caller is approved on (State.For): what is withheld from others can be neither
// found nor counted nor ordered by them, and costs nobody a read.
package catalogue

import (
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// OffBrowse is a flag beside catalog's own: the role is closed, paused, accepts nobody
// or nobody reviews.
const OffBrowse roleindex.Flag = "off_browse"

// newDoc is what an index knows of a role, as somebody sees it.
func newDoc(v role.View, version int64) roleindex.Doc {
	l := v.Listing()
	d := roleindex.Doc{
		ID: l.ID, Version: version, BrowseRank: l.BrowseRank, PostedAt: l.PostedAt, UpdatedAt: l.UpdatedAt,
		Name: l.Name, Company: l.Company, OneLiner: l.OneLiner, Description: roleindex.TruncateProse(l.Description),
		Places: l.Places, Locations: l.Locations, RoleTypes: l.RoleTypes, Industries: l.Industries,
		Workplace: l.Workplace, FundingRound: l.FundingRound, CompanyTier: l.CompanyTier, Density: l.Density, Status: l.Status,
		TechStack: l.TechStack, Investors: l.Investors, SalaryLower: l.SalaryLower, SalaryUpper: l.SalaryUpper,
		YearsMin: l.YearsMin, YearsMax: l.YearsMax, FeePercent: l.FeePercent, CompanySize: int(l.CompanySize),
	}
	for flag, holds := range map[roleindex.Flag]bool{
		roleindex.SelfServeClosed: l.SelfServeClosed, roleindex.StoppedReviewing: l.StoppedReviewing,
		roleindex.VisaSponsorship: l.Sponsored, OffBrowse: !l.Browsable(),
	} {
		if holds {
			d.Flags = append(d.Flags, flag)
		}
	}
	return d
}
