package role

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// RecruiterCache reads the involvement of recruiters in roles ([Store.RecruiterRoles]) and keeps it
// for recruiters with many roles. One item says whether it is still current, so the roles are read
// again only after a change. It is safe for concurrent use.
type RecruiterCache struct {
	store *Store
	kept  *cloud.Cache[RecruiterRoles]
}

const (
	// minKept is the smallest number of roles that is kept for a recruiter: about a read unit, and as
	// much processor time as a call.
	minKept = 16
	// maxKept bounds the roles that are kept for all recruiters together: about 10 MB.
	maxKept = 20_000
)

// NewRecruiterCache returns an empty cache.
func NewRecruiterCache(store *Store) *RecruiterCache {
	return &RecruiterCache{store, cloud.NewCache[RecruiterRoles](maxKept)}
}

// Read returns a recruiter's current involvement in all roles, in one call; in two after a change.
func (c *RecruiterCache) Read(ctx context.Context, recruiterID string) (_ RecruiterRoles, err error) {
	defer fault.Wrap(&err, "role.Read(recruiterID)")

	if kept, there := c.kept.Get(recruiterID); there {
		item, _, err := c.store.entities.Item(ctx, preferencesKey(recruiterID))
		now := RecruiterRoles{Roles: kept.Roles}
		if err == nil {
			err = now.addPreferences(item)
		}
		if err != nil || now.changes == kept.changes {
			return now, err
		}
	}
	read, err := c.store.RecruiterRoles(ctx, recruiterID)
	switch {
	case err != nil:
	case len(read.Roles) < minKept:
		c.kept.Remove(recruiterID)
	default:
		c.kept.Put(recruiterID, read, len(read.Roles))
	}
	return read, err
}
