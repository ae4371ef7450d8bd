package browse

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/catalog"
	"github.com/recruiting-marketplace/external-api/shared/role"
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
	docs, err := c.docs(ctx, ids)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.publish(ctx, catalog.Build(docs), now, nonce)
	return len(docs), err
}

// Roles are read in parts, some of them side by side.
const (
	part    = 500
	parts   = 8
	version = 1
)

func (c *Catalogue) docs(ctx context.Context, ids []string) ([]catalog.Doc, error) {
	var mu sync.Mutex
	docs := make([]catalog.Doc, 0, len(ids))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(parts)
	for some := range slices.Chunk(ids, part) {
		g.Go(func() error {
			raws, err := c.roles.Raws(gctx, some, role.Reading{Consistent: true, Prose: func(string) bool { return true }})
			mu.Lock()
			defer mu.Unlock()
			for _, raw := range raws {
				docs = append(docs, shared(raw, version))
			}
			return err
		})
	}
	return docs, g.Wait()
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
