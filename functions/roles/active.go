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
) (contract.ActiveRolesResponse, error) {
	out := contract.ActiveRolesResponse{Roles: []contract.ActiveRole{}}
	filters := fmt.Sprint(in.PrimaryOnly, in.ActiveTrialOnly, in.SingleSubmissionsOnly, in.AutoMatchOnly)
	from, err := readPosition(call, in.Cursor, filters)
	if err != nil {
		return out, err
	}
	r, _, current, err := s.readRecruiter(ctx, call)
	if err != nil {
		return out, err
	}
	p, err := s.searchPage(ctx, r, current, roleindex.Query{
		AnyOf: map[roleindex.Field][]string{roleindex.Status: {string(contract.RoleStatusActive)}},
		Only:  r.ownRoleIDs(func(own role.Involvement) bool { return isActive(in, r, own) }),
		Sort:  roleindex.UpdateOrder, AfterUpdated: from, Limit: int(in.Limit),
	})
	if err != nil {
		return out, err
	}
	for _, row := range p.rows {
		out.Roles = append(out.Roles, row.ActiveRow())
	}
	out.NextCursor = p.nextCursor(roleindex.UpdateOrder, filters)
	return out, nil
}

// isActive reports whether a role is one of those asked for: without a filter, those
// with a primary slot or an active submission.
func isActive(in contract.ActiveRolesRequest, r reader, own role.Involvement) bool {
	filters := []struct {
		isAsked bool
		matches func() bool
	}{
		{in.PrimaryOnly, own.Primary},
		{in.ActiveTrialOnly, func() bool { return own.Assignment != nil && own.Assignment.TrialActive(r.now) }},
		{in.SingleSubmissionsOnly, func() bool { return own.ActiveSingle() > 0 }},
		{in.AutoMatchOnly, func() bool { return own.Counts.AutoMatch > 0 }},
	}
	isFiltered := false
	for _, f := range filters {
		if f.isAsked && f.matches() {
			return true
		}
		isFiltered = isFiltered || f.isAsked
	}
	return !isFiltered && (own.Primary() || own.Counts.Active > 0)
}
