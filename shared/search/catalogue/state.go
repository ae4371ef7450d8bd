package catalogue

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// State is [Catalogue.Current] with the additional data that a separate engine needs.
func (c *Catalogue) State(ctx context.Context, now time.Time) (_ State, err error) {
	defer fault.Wrap(&err, "catalogue.State")

	if state, ok := c.recentState(now); ok {
		return state, nil
	}
	state, err := c.updateState(ctx, now)
	if err == nil || ctx.Err() != nil {
		return state, err
	}
	return c.holdState(ctx, now, err)
}

// recentState returns the state if the copy was brought up to date a moment ago, or could not be and is
// held.
func (c *Catalogue) recentState(now time.Time) (_ State, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	isHeld := now.Sub(c.heldAt) < c.maxAge && now.Sub(c.read.Latest) <= MaxHeld
	if c.isUsable() && (now.Sub(c.polledAt) < c.pollAge() || isHeld) {
		return c.newState(), true
	}
	return State{}, false
}

// isUsable reports whether the copy is a base with the changes up to the last read of the log.
func (c *Catalogue) isUsable() bool { return !c.read.Complete.IsZero() && c.views[sharedIndex] != nil }

// updateState brings the copy up to date: from the digests that instances share, from the log if these
// do not continue the copy, or from the published base if the copy is too old or a newer base is
// announced.
func (c *Catalogue) updateState(ctx context.Context, now time.Time) (State, error) {
	head := c.readDigestHead(ctx)
	fresh := c.prepareUpdate(ctx, now)
	if head != nil && fresh {
		state, err := c.followDigests(ctx, *head, now)
		switch {
		case err == nil || ctx.Err() != nil:
			return state, err
		case errors.Is(err, errNewerBase):
			fresh = false
		case !errors.Is(err, errNoDigests):
			c.log.WarnContext(ctx, "the digests of the log of changes are not followed", "cause", err)
		}
	}
	state, err := c.readState(ctx, head, fresh, now)
	if err == nil && head != nil {
		c.joinDigests(ctx, *head, now)
	}
	return state, err
}

// prepareUpdate reports whether the copy can be brought up to date without a base. Of a copy with many
// changes, it replaces a shard.
func (c *Catalogue) prepareUpdate(ctx context.Context, now time.Time) (fresh bool) {
	c.mu.Lock()
	hasMany := len(c.changed) >= c.maxChanges
	hasOnlyChanges := hasMany && len(c.files) == 0
	fresh = c.isUsable() && now.Sub(c.read.Complete) < maxStale && !hasOnlyChanges
	c.mu.Unlock()
	if fresh && hasMany {
		isOther, err := c.refreshShard(ctx, now)
		if err != nil {
			c.log.WarnContext(ctx, "no newer shard of the catalogue is loaded", "cause", err)
		}
		fresh = !isOther
	}
	return fresh
}

// readState brings the copy up to date from the log, or from the published base unless the copy is fresh.
// A copy that is too old is brought up to date from the log if no base can be loaded.
func (c *Catalogue) readState(ctx context.Context, head *snapshot.Digests, fresh bool, now time.Time) (State, error) {
	c.mu.Lock()
	usable := c.isUsable()
	position := c.read
	c.mu.Unlock()
	if !fresh {
		state, err := c.loadBase(ctx, head, now)
		if err == nil || !usable || now.Sub(position.Complete) > snapshot.MaxBehind {
			return state, err
		}
		c.log.WarnContext(ctx, "no base of the catalogue is loaded", "cause", err)
	}
	joins := head != nil // then digests follow, and nothing is read from the log again
	changes, position, err := c.snapshots.ChangesAfter(ctx, position, now, joins || c.maxAge == 0)
	if err != nil {
		return State{}, err
	}
	c.mu.Lock()
	if c.isUsable() && !c.hasNewerBase(changes) {
		defer c.mu.Unlock()
		return c.applyChanges(ctx, changes, position, now)
	}
	c.mu.Unlock()
	return c.loadBase(ctx, head, now)
}

// hasNewerBase reports whether the changes announce a base with more than the log has.
func (c *Catalogue) hasNewerBase(changes []snapshot.Change) bool {
	return slices.ContainsFunc(changes, func(change snapshot.Change) bool { return change.Base > c.head.Generation })
}

// loadBase starts again from the published base. It reads the digests or the log before it replaces the
// copy, so that the copy can be held if these or the base cannot be read.
func (c *Catalogue) loadBase(ctx context.Context, shared *snapshot.Digests, now time.Time) (State, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	head, err := c.readHead(ctx)
	if err != nil {
		return State{}, err
	}
	from := time.Time{}
	if head.Generation > 0 {
		from = time.UnixMilli(head.Until)
	}
	isNew := !c.hasBase(head)
	if isNew && head.Generation > 0 {
		if digests, before, ok := c.digestsSince(ctx, shared, from, now); ok {
			return c.openWith(ctx, head, *shared, digests, before, now)
		}
	}
	if !isNew && now.Sub(c.read.Complete) < maxStale {
		from = c.read.Complete // nothing newer is published
	}
	changes, err := c.snapshots.ChangesSince(ctx, from, now)
	if err != nil {
		return State{}, err
	}
	if isNew {
		if err := c.openBase(ctx, head); err != nil {
			return State{}, err
		}
	}
	return c.applyChanges(ctx, changes, snapshot.Position{Complete: now, Latest: now}, now)
}

// openWith replaces the copy by a base with digests, which follow the one of the given number.
func (c *Catalogue) openWith(
	ctx context.Context, head snapshot.Head, shared snapshot.Digests, digests []digest, before int64, now time.Time,
) (State, error) {
	if err := c.openBase(ctx, head); err != nil {
		return State{}, err
	}
	c.digested = before
	if err := c.applyDigests(digests, shared.Number, now); err != nil {
		return State{}, err
	}
	c.advanceTo(shared.Position())
	c.polledAt = now
	return c.newState(), nil
}

// hasBase reports whether the copy is that of a head.
func (c *Catalogue) hasBase(head snapshot.Head) bool {
	isSame := head.Format == c.head.Format && head.Generation == c.head.Generation && head.Until == c.head.Until
	return isSame && c.views[sharedIndex] != nil
}
