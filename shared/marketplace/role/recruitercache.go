package role

import (
	"context"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// RecruiterCache reads the involvement of recruiters in roles ([Store.RecruiterRoles]) and keeps it
// for recruiters with many roles. One item says whether it is still current, so the roles are read
// again only after a change. It is safe for concurrent use.
type RecruiterCache struct {
	store *Store

	mu   sync.Mutex
	kept map[string]RecruiterRoles
	// size is the number of roles in kept.
	size int
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
	return &RecruiterCache{store: store, kept: map[string]RecruiterRoles{}}
}

// Read returns a recruiter's current involvement in all roles, in one call; in two after a change.
func (c *RecruiterCache) Read(ctx context.Context, recruiterID string) (_ RecruiterRoles, err error) {
	defer fault.Wrap(&err, "role.Read(recruiterID)")

	if kept, there := c.find(recruiterID); there {
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
	if err == nil {
		c.keep(recruiterID, read)
	}
	return read, err
}

func (c *RecruiterCache) find(recruiterID string) (kept RecruiterRoles, there bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, there = c.kept[recruiterID]
	return kept, there
}

// keep replaces the roles that are kept for a recruiter, and drops other recruiters, in no
// particular order, until all fit.
func (c *RecruiterCache) keep(recruiterID string, read RecruiterRoles) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(recruiterID)
	if len(read.Roles) < minKept || len(read.Roles) > maxKept {
		return
	}
	for id := range c.kept {
		if c.size+len(read.Roles) <= maxKept {
			break
		}
		c.drop(id)
	}
	c.kept[recruiterID] = read
	c.size += len(read.Roles)
}

func (c *RecruiterCache) drop(recruiterID string) {
	c.size -= len(c.kept[recruiterID].Roles)
	delete(c.kept, recruiterID)
}
