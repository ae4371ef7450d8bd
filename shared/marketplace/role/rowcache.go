package role

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// RowCache reads roles as lists need them, and keeps what it has read for a short time, because the
// same roles are on many pages. It keeps them unredacted, so that every reader sees no more than the
// reader may. It is safe for concurrent use.
type RowCache struct {
	store   *Store
	decoded *DecodedRoles
	// maxAge is how long a role is kept; 0 keeps none.
	maxAge time.Duration

	mu   sync.Mutex
	kept map[string]keptRow
}

type keptRow struct {
	role Unredacted
	// asked is the time of the request for which the role was read, which is before the read.
	asked      time.Time
	consistent bool
}

// NewRowCache returns an empty cache of the roles of a store.
func NewRowCache(store *Store, maxAge time.Duration) *RowCache {
	return &RowCache{store: store, decoded: NewDecodedRoles(), maxAge: maxAge, kept: map[string]keptRow{}}
}

// Read returns the roles of a page for a request at a time, by id; those that do not exist are left
// out. A role that changed lately is read consistently.
func (c *RowCache) Read(
	ctx context.Context, ids []string, now time.Time, changed func(id string) bool,
) (found map[string]Unredacted, err error) {
	defer fault.Wrap(&err, "role.Read(ids)")

	found = map[string]Unredacted{}
	missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		row, ok := c.find(id, now, changed(id))
		if ok {
			found[id] = row
		}
		return ok
	})
	if len(missing) == 0 {
		return found, nil
	}
	consistent := slices.ContainsFunc(missing, changed)
	read, err := c.store.ReadRoles(ctx, missing, ReadOptions{Consistent: consistent, Decoded: c.decoded})
	if err != nil {
		return nil, err
	}
	c.keep(read, now, consistent)
	maps.Copy(found, read)
	return found, nil
}

// find returns a kept role that is not too old, and was read consistently if it has to be.
func (c *RowCache) find(id string, now time.Time, consistent bool) (row Unredacted, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.kept[id]
	isRecent := ok && now.Sub(kept.asked) < c.maxAge
	return kept.role, isRecent && (kept.consistent || !consistent)
}

// keep keeps the roles that were read. It drops those that are too old first, and others, in no
// particular order, if there are too many.
func (c *RowCache) keep(read map[string]Unredacted, now time.Time, consistent bool) {
	if c.maxAge == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.kept, func(_ string, row keptRow) bool { return now.Sub(row.asked) >= c.maxAge })
	for id, role := range read {
		c.kept[id] = keptRow{role, now, consistent}
	}
	for id := range c.kept {
		if len(c.kept) <= maxDecoded {
			return
		}
		delete(c.kept, id)
	}
}
