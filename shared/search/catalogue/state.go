package catalogue

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

const (
	// MaxHeld is the time after the last read of the log for which a copy is served that cannot be
	// brought up to date.
	MaxHeld = 15 * time.Minute
	// heldRetryAfter is the time that callers are asked to wait if no such copy exists.
	heldRetryAfter = 5 * time.Second
	// patience is the time that an update may take before others stop waiting for it and are served
	// the copy as it is.
	patience = 500 * time.Millisecond
)

// age is how current a copy is.
type age struct {
	// read is how far the log was read; read.Complete is zero if the copy has no changes over its base.
	read snapshot.Position
	// polledAt is the time at which the copy was last brought up to date.
	polledAt time.Time
	// heldAt is the time at which the copy was last held because it could not be brought up to date.
	heldAt time.Time
}

// served is the copy as the last update has left it.
type served struct {
	State
	age
}

// isUsable reports whether the copy is a base with the changes up to the last read of the log, which
// was not too long ago.
func (s served) isUsable(now time.Time) bool {
	return !s.read.Complete.IsZero() && s.views[sharedIndex] != nil && now.Sub(s.read.Latest) <= MaxHeld
}

// Current implements [Source]. Unless the copy was brought up to date a moment ago, it reads the
// digests, or the log and the roles that changed. If that fails, or another call has been doing it for
// a while, it returns the copy as it is for [MaxHeld].
func (c *Catalogue) Current(ctx context.Context, now time.Time) (_ Roles, err error) {
	defer fault.Wrap(&err, "catalogue.Current")

	return c.State(ctx, now)
}

// State is [Catalogue.Current] with the additional data that a separate engine needs.
func (c *Catalogue) State(ctx context.Context, now time.Time) (_ State, err error) {
	defer fault.Wrap(&err, "catalogue.State")

	for {
		state, running, isOwn := c.join(now)
		if running == nil {
			return state, nil
		}
		if isOwn {
			return c.runUpdate(ctx, running, now)
		}
		state, ok, err := c.await(ctx, running, now)
		if ok || err != nil {
			return state, err
		}
	}
}

// Load implements [Source].
func (c *Catalogue) Load(ctx context.Context) (err error) {
	defer fault.Wrap(&err, "catalogue.Load")

	c.mu.Lock()
	running, isOwn := c.begin()
	c.mu.Unlock()
	if !isOwn { // an update, which loads what is missing unless its caller leaves
		return running.wait(ctx)
	}
	defer c.end(ctx, running, nil) // a list that waits tries for itself if this fails
	head, err := c.readHead(ctx)
	if err != nil {
		return err
	}
	return c.openBase(ctx, head)
}

// IsLoaded reports whether the catalogue holds a base.
func (c *Catalogue) IsLoaded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.served.views[sharedIndex] != nil
}

// Forget makes the next call of [Catalogue.State] start again from a base.
func (c *Catalogue) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isForgotten = true
}
