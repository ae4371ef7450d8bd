package match

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// MatchedRoles returns the roles on which a recruiter was ever sent a match, each once, by reading a
// short row of every match: 10,000 of them in one call.
func (s *Store) MatchedRoles(ctx context.Context, recruiterID string) (roleIDs []string, err error) {
	defer fault.Wrap(&err, "match.MatchedRoles(recruiterID)")

	for row, err := range s.entities.Query(ctx, entity.QueryOf(itemkey.RoleMatch, recruiterID)) {
		if err != nil {
			return nil, err
		}
		values, _ := itemkey.RoleMatch.ParseSK(row.SK)
		roleIDs = append(roleIDs, values[0])
	}
	return slices.Compact(roleIDs), nil
}

// WasSent reports, by reading one row, whether a recruiter was ever sent a match on a role.
func (s *Store) WasSent(ctx context.Context, recruiterID, roleID string) (_ bool, err error) {
	defer fault.Wrap(&err, "match.WasSent(recruiterID, roleID)")

	rows, _, err := s.entities.QueryPage(ctx, entity.QueryOf(itemkey.RoleMatch, recruiterID, roleID), 1)
	return len(rows) > 0, err
}
