package browse

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/catalog"
	"github.com/recruiting-marketplace/external-api/shared/snapshot"
)

// Publish makes what changed since the last generation the next one; published
// tells whether there was anything. nonce is different in every call.
func (c *Catalogue) Publish(ctx context.Context, now time.Time, nonce string) (published bool, err error) {
	if _, err := c.load(ctx, now); err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.changed) == 0 {
		return false, nil
	}
	return c.publish(ctx, c.view.Compact(), c.asked, nonce)
}

// Rebuild reads every role and publishes once: after a bulk load, which leaves no
// log.
func (c *Catalogue) Rebuild(ctx context.Context, now time.Time, nonce string) (roles int, err error) {
	if _, err := c.load(ctx, now); err != nil {
		return 0, err
	}
	ids, err := c.roles.IDs(ctx)
	if err != nil {
		return 0, err
	}
	raws, err := c.raws(ctx, ids)
	if err != nil {
		return 0, err
	}
	docs := make([]catalog.Doc, 0, len(raws))
	for _, raw := range raws {
		docs = append(docs, shared(raw, 1))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.publish(ctx, catalog.Build(docs), now, nonce)
	return len(docs), err
}

func (c *Catalogue) publish(ctx context.Context, file []byte, until time.Time, nonce string) (bool, error) {
	base, err := catalog.Open(file)
	if err != nil {
		return false, err
	}
	head, err := c.snapshots.Publish(ctx, c.head, file, until, nonce)
	if errors.Is(err, snapshot.ErrSuperseded) {
		c.asked = time.Time{} // the other one's generation is read next time
		return false, nil
	}
	if err != nil {
		return false, err
	}
	seen := c.seen // the new base has them
	c.adopt(head, base)
	c.seen, c.asked = seen, until
	return true, nil
}
