package roles

import (
	"context"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// reader is the recruiter or member that roles are listed for.
type reader struct {
	ownRoles    map[string]role.Involvement
	matchedIDs  []string // of roles that the member was sent a match on, if they are asked for
	feesHidden  bool     // always true on the agency surface, which shows no fees
	agency      bool     // on the agency surface, which omits links
	recommended bool     // has recommended roles enabled
	now         time.Time
}

// callerOf returns what redaction must know of the reader of a role.
func (r reader) callerOf(roleID string) role.Caller {
	own := r.ownRoles[roleID]
	return role.Caller{
		Involvement: own, FeesHidden: r.feesHidden, LinksOmitted: r.agency, Now: r.now,
	}
}

// ownRoleIDs returns the sorted ids of those of the reader's roles that pass, never nil.
func (r reader) ownRoleIDs(pass func(role.Involvement) bool) []string {
	ids := []string{} // nil would mean all
	for id, own := range r.ownRoles {
		if pass(own) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// approvedIDs returns the roles that the reader is approved on.
func (r reader) approvedIDs() []string { return r.ownRoleIDs(role.Involvement.Approved) }

// personalize returns the query with the reader's exceptions: the roles on which flags
// do not bind the reader, and the fees that only this reader is offered.
func (r reader) personalize(q roleindex.Query) roleindex.Query {
	q.Waived = map[roleindex.Flag][]string{catalogue.OffBrowse: slices.Concat(r.ownRoleIDs(role.Involvement.Involved), r.matchedIDs)}
	if closed, asked := q.Flags[roleindex.SelfServeClosed]; asked && !closed {
		q.Waived[roleindex.SelfServeClosed] = r.approvedIDs()
	}
	q.OfferedFees = map[string]float64{}
	for id, own := range r.ownRoles {
		if own.Approved() && own.Assignment.Fee != nil {
			q.OfferedFees[id] = optional.Value(own.Assignment.Fee.PercentOfSalary)
		}
	}
	return q
}

// page is a part of a list. last is the last row that was found, even if it has dropped
// out of rows; more reports whether others follow it.
type page struct {
	rows []role.View
	last roleindex.Row
	more bool
}

// searchPage searches the catalogue as the reader sees it, and reads the rows from the
// store in one call.
func (s *Service) searchPage(ctx context.Context, r reader, current catalogue.Roles, q roleindex.Query) (page, error) {
	found, err := current.Search(ctx, r.personalize(q), r.approvedIDs())
	if err != nil {
		return page{}, err
	}
	return s.readPage(ctx, r, current, q, found)
}

// readPage reads the rows of a found page from the store.
func (s *Service) readPage(ctx context.Context, r reader, current catalogue.Roles, q roleindex.Query, found roleindex.Page) (page, error) {
	views, err := s.readViews(ctx, r, current, found.Rows)
	if err != nil {
		return page{}, err
	}
	p := page{more: found.More}
	for _, row := range found.Rows {
		p.last = row
		// A role is left out if its status has changed since it was found.
		if v, ok := views[row.ID]; ok && slices.Contains(q.AnyOf[roleindex.Status], string(v.Status())) {
			p.rows = append(p.rows, v)
		}
	}
	return p, nil
}

// readViews returns the roles as the reader may see them, by id. Roles that no longer
// exist are left out.
func (s *Service) readViews(ctx context.Context, r reader, current catalogue.Roles, rows []roleindex.Row) (map[string]role.View, error) {
	views := map[string]role.View{}
	if len(rows) == 0 {
		return views, nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	// An eventually consistent read may miss a recent change.
	how := role.ReadOptions{Consistent: slices.ContainsFunc(ids, current.Changed), Decoded: s.decoded}
	roles, err := s.roles.ReadRoles(ctx, ids, how)
	if err != nil {
		return nil, err
	}
	for id, unredacted := range roles {
		views[id] = role.Redact(unredacted, r.callerOf(id))
	}
	return views, nil
}
