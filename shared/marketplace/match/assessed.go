package match

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// unresolvedRow is the content of the row that an unresolved match has: a pending or an
// expired one. Storing that the match expired does not change the row.
type unresolvedRow struct {
	// Expires is in milliseconds since 1970.
	Expires int64 `json:"e"`
}

// unresolvedRow returns the match's row while it is unresolved.
func (m Match) unresolvedRow(id string) (row entity.Row, isOpen bool) {
	var o unresolvedRow
	switch m.Status {
	case contract.MatchStatusPending:
		o.Expires = m.ExpiresAt().UnixMilli()
	case contract.MatchStatusExpired: // even before its expiry, if the marketplace says so
	default:
		return row, false
	}
	return entity.RowOf(itemkey.UnresolvedMatch, o, m.RecruiterID, m.Candidate.CandidateID, m.RoleID, id), true
}

// PendingRoles returns, by one call, the roles on which a recruiter's candidate has a match
// that is pending at a time.
func (s *Store) PendingRoles(ctx context.Context, recruiterID, candidateID string, now time.Time) (roleIDs []string, err error) {
	defer fault.Wrap(&err, "match.PendingRoles(recruiterID, candidateID)")

	for row, err := range s.entities.Query(ctx, entity.QueryOf(itemkey.UnresolvedMatch, recruiterID, candidateID)) {
		if err != nil {
			return nil, err
		}
		var o unresolvedRow
		if err := row.Into(&o); err != nil {
			return nil, err
		}
		if now.UnixMilli() < o.Expires {
			values, _ := itemkey.UnresolvedMatch.ParseSK(row.SK)
			roleIDs = append(roleIDs, values[1])
		}
	}
	return roleIDs, nil
}
