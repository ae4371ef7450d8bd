package match

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// WasSent reports, by reading one row, whether a recruiter was ever sent a match on a role.
func (s *Store) WasSent(ctx context.Context, recruiterID, roleID string) (_ bool, err error) {
	defer fault.Wrap(&err, "match.WasSent(recruiterID, roleID)")

	rows, _, err := s.entities.QueryPage(ctx, entity.QueryOf(itemkey.RoleMatch, recruiterID, roleID), 1)
	return len(rows) > 0, err
}
