// Package browse brings the role catalogue together: the index (catalog), its
// generations and the log of changes (snapshot), and the roles themselves (role).
// It belongs to no function: one publishes the catalogue and another serves it.
//
// What is indexed is what a stranger may see. A role that its caller sees
// otherwise is indexed for that caller alone, with Entry.
package browse

import (
	"github.com/recruiting-marketplace/external-api/shared/catalog"
	"github.com/recruiting-marketplace/external-api/shared/role"
)

// The flags beside catalog's own.
const (
	// Stealth: an approved caller sees another text.
	Stealth catalog.Flag = "stealth"
	// OffBrowse: the role is closed, paused, accepts nobody or nobody reviews.
	OffBrowse catalog.Flag = "off_browse"
)

// Entry is what the index knows of a role, as somebody sees it. involved tells
// that the caller has to do with the role, which is never off Browse then.
func Entry(v role.View, version int64, involved bool) catalog.Doc {
	l := v.Listing()
	d := catalog.Doc{
		ID: l.ID, Version: version, BrowseRank: l.BrowseRank, PostedAt: l.PostedAt, UpdatedAt: l.UpdatedAt,
		Name: l.Name, Company: l.Company, OneLiner: l.OneLiner, Description: l.Description,
		Locations: l.Locations, RoleTypes: l.RoleTypes, Industries: l.Industries,
		Workplace: l.Workplace, FundingRound: l.FundingRound, CompanyTier: l.CompanyTier, Density: l.Density, Status: l.Status,
		TechStack: l.TechStack, Investors: l.Investors, SalaryLower: l.SalaryLower, SalaryUpper: l.SalaryUpper,
		YearsMin: l.YearsMin, YearsMax: l.YearsMax, FeePercent: l.FeePercent, CompanySize: int(l.CompanySize),
	}
	for flag, holds := range map[catalog.Flag]bool{
		catalog.SelfServeClosed: l.SelfServeClosed, catalog.StoppedReviewing: l.StoppedReviewing,
		catalog.VisaSponsorship: l.Sponsored, Stealth: l.Stealth, OffBrowse: !involved && !l.Browsable(),
	} {
		if holds {
			d.Flags = append(d.Flags, flag)
		}
	}
	return d
}

// shared is the entry that everybody finds.
func shared(r role.Raw, version int64) catalog.Doc {
	return Entry(role.Redact(r, role.Caller{}), version, false)
}
