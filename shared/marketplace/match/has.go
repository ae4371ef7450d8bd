package match

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// WasSent reports whether a recruiter was ever sent a match on a role.
func (s *Store) WasSent(ctx context.Context, recruiterID, roleID string) (bool, error) {
	for row, err := range s.entities.Query(ctx, entity.QueryOf(itemkey.RecruiterMatch, recruiterID)) {
		if err != nil {
			return false, err
		}
		var m Match
		if err := row.Into(&m); err != nil {
			return false, err
		}
		if m.RoleID == roleID {
			return true, nil
		}
	}
	return false, nil
}
