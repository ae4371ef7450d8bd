package catalogue

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Publish publishes the next generation if roles changed since the last one, and
// reports whether it did. nonce is different in every call. A last generation that
// cannot be read, of another version or damaged, is rebuilt from the roles.
func (c *Catalogue) Publish(ctx context.Context, now time.Time, nonce string) (published bool, err error) {
	if _, err := c.loadBase(ctx, now); errors.Is(err, roleindex.ErrBroken) {
		_, err := c.Rebuild(ctx, func() time.Time { return now }, nonce)
		return err == nil, err
	} else if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.changed) == 0 {
		return false, nil
	}
	err = c.publishFile(ctx, c.head, joinIndexes(c.views[sharedIndex].Compact(), c.views[approvedIndex].Compact()), c.lastRead, nonce, nil)
	if errors.Is(err, snapshot.ErrSuperseded) {
		return false, nil
	}
	return err == nil, err
}

// attempts is how often a rebuild is tried while others publish.
const attempts = 3

// Rebuild publishes a generation of every role, and returns their number: after a bulk
// load, which writes no log. It reads the clock when it begins and when it
// publishes, which may be minutes later. It returns snapshot.ErrSuperseded if others
// published during every attempt.
func (c *Catalogue) Rebuild(ctx context.Context, now func() time.Time, nonce string) (roles int, err error) {
	for range attempts {
		begun := now()
		head, err := c.snapshots.Head(ctx)
		if err != nil {
			return 0, err
		}
		docs, err := c.ReadDocs(ctx)
		if err != nil {
			return 0, err
		}
		c.mu.Lock()
		err = c.publishFile(ctx, head, docs.Build(), begun, nonce, now)
		c.mu.Unlock()
		if err == nil {
			return len(docs.Shared), nil
		}
		if !errors.Is(err, snapshot.ErrSuperseded) {
			return 0, err
		}
	}
	return 0, snapshot.ErrSuperseded
}

// ReadDocs reads every role, and returns the documents of a generation.
func (c *Catalogue) ReadDocs(ctx context.Context) (all Docs, err error) {
	ids, err := c.roles.RoleIDs(ctx)
	if err != nil {
		return all, err
	}
	err = c.readInParts(ctx, ids, func(some map[string]role.Unredacted) {
		for _, unredacted := range some {
			d := newDocs(unredacted, 1)
			all.Shared, all.Approved = append(all.Shared, d.Shared...), append(all.Approved, d.Approved...)
		}
	})
	return all, err
}

// publishFile publishes a file with every change that was read until then, as the
// generation after one. unlogged is that of [snapshot.Store.Publish].
func (c *Catalogue) publishFile(ctx context.Context, was snapshot.Head, file []byte, until time.Time, nonce string, unlogged func() time.Time) error {
	indexes, err := openIndexes(file)
	if err != nil {
		return err
	}
	head, err := c.snapshots.Publish(ctx, was, file, until, nonce, unlogged)
	if errors.Is(err, snapshot.ErrSuperseded) {
		c.lastRead = time.Time{} // read the other generation next time
	}
	if err != nil {
		return err
	}
	seen := c.seen // the new base has them
	c.adoptBase(head, indexes)
	if seen != nil {
		c.seen = seen
	}
	c.lastRead = until
	return nil
}
