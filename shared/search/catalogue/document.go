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
	r := shownRole{v.Listing(), v.Company(), v.SelfServeClosed()}
	d := roleindex.Doc{
		ID: v.ID(), BrowseRank: int(r.BrowseRank), UpdatedAt: r.UpdatedAt.Time, Status: string(r.Status),
		Name: r.Title, Company: r.company.Name, OneLiner: optional.Value(r.company.OneLiner), Places: r.Locations,
		Description: roleindex.TruncateProse(v.Description()),
	}
	for _, f := range filters {
		if f.index != nil {
			f.index(&d, r)
		}
	}
	setFlag(&d, roleindex.StoppedReviewing, v.StoppedReviewing())
	setFlag(&d, OffBrowse, !v.Browsable())
	return d
}
