package match

import (
	"context"
	"strings"
	"time"
)

// pending is the content of the row by which a candidate's pending match is found.
type pending struct {
	// Expires is in milliseconds since 1970.
	Expires int64 `json:"e"`
}

func pendingPrefix(candidateID string) string { return "Q#" + candidateID + "#" }

// PendingRoles are the roles on which a recruiter's candidate has a match that is
// pending at a time, in one call.
func (s *Store) PendingRoles(ctx context.Context, recruiterID, candidateID string, now time.Time) (roleIDs []string, err error) {
	prefix := pendingPrefix(candidateID)
	for row, err := range s.entities.Rows(ctx, "U#"+recruiterID, prefix, "") {
		if err != nil {
			return nil, err
		}
		var p pending
		if err := row.Into(&p); err != nil {
			return nil, err
		}
		if now.UnixMilli() < p.Expires {
			roleID, _, _ := strings.Cut(strings.TrimPrefix(row.SK, prefix), "#")
			roleIDs = append(roleIDs, roleID)
		}
	}
	return roleIDs, nil
}
