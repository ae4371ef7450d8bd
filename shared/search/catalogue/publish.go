package catalogue

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Publish makes what changed since the last generation the next one; published
// tells whether there was anything. nonce is different in every call. A generation
// that cannot be read, of an earlier version or damaged, is made anew of the roles.
func (c *Catalogue) Publish(ctx context.Context, now time.Time, nonce string) (published bool, err error) {
	if _, err := c.load(ctx, now); errors.Is(err, roleindex.ErrBroken) {
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
	err = c.publish(ctx, c.head, pack(c.view[ofAll].Compact(), c.view[ofApproved].Compact()), c.asked, nonce)
	if errors.Is(err, snapshot.ErrSuperseded) {
		return false, nil
	}
	return err == nil, err
}

// attempts is how often a rebuilding starts again because somebody else published.
const attempts = 3

// Rebuild reads every role and publishes once: after a bulk load, which leaves no
// log. It reads the clock when it begins and when it has published, which may be
// minutes later. It answers snapshot.ErrSuperseded if others published again and again.
func (c *Catalogue) Rebuild(ctx context.Context, now func() time.Time, nonce string) (roles int, err error) {
	for range attempts {
		begun := now()
		head, err := c.snapshots.Head(ctx)
		if err != nil {
			return 0, err
		}
		docs, err := c.Docs(ctx)
		if err != nil {
			return 0, err
		}
		c.mu.Lock()
		err = c.publish(ctx, head, docs.Build(), begun, nonce)
		c.mu.Unlock()
		if err == nil {
			return len(docs.Shared), c.snapshots.Announce(ctx, now(), nonce)
		}
		if !errors.Is(err, snapshot.ErrSuperseded) {
			return 0, err
		}
	}
	return 0, snapshot.ErrSuperseded
}

// Docs reads every role that there is, as a generation would have it.
func (c *Catalogue) Docs(ctx context.Context) (all Docs, err error) {
	ids, err := c.roles.IDs(ctx)
	if err != nil {
		return all, err
	}
	err = c.each(ctx, ids, func(some map[string]role.Raw) {
		for _, raw := range some {
			d := docs(raw, 1)
			all.Shared, all.Approved = append(all.Shared, d.Shared...), append(all.Approved, d.Approved...)
		}
	})
	return all, err
}

// publish makes a file that has every change that was read until then the next
// generation after one.
func (c *Catalogue) publish(ctx context.Context, was snapshot.Head, file []byte, until time.Time, nonce string) error {
	indexes, err := open(file)
	if err != nil {
		return err
	}
	head, err := c.snapshots.Publish(ctx, was, file, until, nonce)
	if errors.Is(err, snapshot.ErrSuperseded) {
		c.asked = time.Time{} // the other one's generation is read next time
	}
	if err != nil {
		return err
	}
	seen := c.seen // the new base has them
	c.adopt(head, indexes)
	if seen != nil {
		c.seen = seen
	}
	c.asked = until
	return nil
}
