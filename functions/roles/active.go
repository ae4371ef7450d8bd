package roles

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// ListActiveRoles serves GET /recruiter/active-roles.
func (s *Service) ListActiveRoles(
	ctx context.Context, call *gateway.Call, in contract.ActiveRolesRequest,
) (out contract.ActiveRolesResponse, err error) {
	q := roleindex.Query{AnyOf: activeStatus(), Sort: roleindex.UpdateOrder, Limit: int(in.Limit)}
	filters := fmt.Sprint(in.PrimaryOnly, in.ActiveTrialOnly, in.SingleSubmissionsOnly, in.AutoMatchOnly)
	if err := readStart(call, &q, in.Cursor, filters); err != nil {
		return out, err
	}
	r, err := s.readRecruiter(ctx, call)
	if err != nil {
		return out, err
	}
	q.Only = r.ownRoleIDs(func(own role.Involvement) bool { return isActive(in, r, own) })
	p, err := s.searchPage(ctx, r, q)
	if err != nil {
		return out, err
	}
	for _, row := range p.rows {
		out.Roles = append(out.Roles, row.ActiveRow())
	}
	out.NextCursor = p.nextCursor(q.Sort, filters)
	return out, nil
}

// isActive reports whether a role is one of those asked for: without a filter, those
// with a primary slot or an active submission.
func isActive(in contract.ActiveRolesRequest, r reader, own role.Involvement) bool {
	switch {
	case in.PrimaryOnly && own.Primary(), in.ActiveTrialOnly && own.TrialActive(r.now):
		return true
	case in.SingleSubmissionsOnly && own.ActiveSingle() > 0, in.AutoMatchOnly && own.Counts.AutoMatch > 0:
		return true
	case in.PrimaryOnly || in.ActiveTrialOnly || in.SingleSubmissionsOnly || in.AutoMatchOnly:
		return false
	}
	return own.Primary() || own.Counts.Active > 0
}
