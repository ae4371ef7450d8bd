package roles

import (
	"context"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// reader is on whose behalf roles are listed.
type reader struct {
	ownRoles   map[string]role.Mine
	feesHidden bool // always on the agency surface, which tells none
	agency     bool // the surface, which omits links
	// recommended tells that recommended roles are enabled.
	recommended bool
	now         time.Time
}

// callerOf is what redaction must know.
func (r reader) callerOf(id string) role.Caller {
	own := r.ownRoles[id]
	return role.Caller{
		Assignment: own.Assignment, Counts: own.Counts, FeesHidden: r.feesHidden, LinksOmitted: r.agency, Now: r.now,
	}
}

// ownRoleIDs are those of the reader's roles that pass.
func (r reader) ownRoleIDs(pass func(role.Mine) bool) []string {
	ids := []string{} // nil would mean all
	for id, own := range r.ownRoles {
		if pass(own) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// personalize is the query as this reader asks it: what does not bind those who are on a role,
// and what is offered to this reader alone.
func (r reader) personalize(q roleindex.Query) roleindex.Query {
	q.Waived = map[roleindex.Flag][]string{roleindex.SelfServeClosed: r.ownRoleIDs(role.Mine.Approved), catalogue.OffBrowse: r.ownRoleIDs(role.Mine.Involved)}
	q.OfferedFees = map[string]float64{}
	for id, own := range r.ownRoles {
		if own.Assignment != nil && own.Assignment.Fee != nil {
			q.OfferedFees[id] = known(own.Assignment.Fee.PercentOfSalary)
		}
	}
	return q
}

// listedRole is a row of a page.
type listedRole struct {
	roleindex.Row
	role.View
}

// page is a part of a list; last is its last row before any was dropped, and more
// tells that others come after it.
type page struct {
	rows []listedRole
	last roleindex.Row
	more bool
}

// searchPage searches the catalogue as the reader sees it and reads the rows live, in one
// call.
func (s *Service) searchPage(ctx context.Context, r reader, state catalogue.State, q roleindex.Query) (page, error) {
	return s.searchPageBy(ctx, r, state, q, (*roleindex.View).Search)
}

// searchPageBy is page with another way to search.
func (s *Service) searchPageBy(
	ctx context.Context, r reader, state catalogue.State, q roleindex.Query, search func(*roleindex.View, roleindex.Query) roleindex.Page,
) (page, error) {
	found := search(state.ViewFor(r.ownRoleIDs(role.Mine.Approved)), r.personalize(q))
	p := page{more: found.More}
	views, err := s.readViews(ctx, r, state, rowIDs(found))
	for _, row := range found.Rows {
		p.last = row
		// What is no longer as it was found drops out.
		if v, ok := views[row.ID]; ok && slices.Contains(q.AnyOf[roleindex.Status], v.Status()) {
			p.rows = append(p.rows, listedRole{row, v})
		}
	}
	return p, err
}

// readViews gives the roles as the reader may see them; what is not there is left out.
func (s *Service) readViews(ctx context.Context, r reader, state catalogue.State, ids []string) (map[string]role.View, error) {
	views := map[string]role.View{}
	if len(ids) == 0 {
		return views, nil
	}
	raws, err := s.roles.Raws(ctx, ids, role.Reading{
		Consistent: slices.ContainsFunc(ids, func(id string) bool { return state.Recent[id] }),
	})
	for id, raw := range raws {
		views[id] = role.Redact(raw, r.callerOf(id))
	}
	return views, err
}

func rowIDs(p roleindex.Page) []string {
	out := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		out[i] = row.ID
	}
	return out
}
