package catalogue

import (
	"context"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// State is [Catalogue.Current] with what an engine of its own needs beside it.
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

// recentState returns the state if the log was read within the catalogue's maximum age, or could not be
// read within it and the copy is held.
func (c *Catalogue) recentState(now time.Time) (_ State, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	age := now.Sub(c.lastAsked)
	isHeld := now.Sub(c.heldAt) < c.maxAge && age <= MaxHeld
	if c.isUsable() && (age < c.maxAge || isHeld) {
		return c.newState(), true
	}
	return State{}, false
}

// isUsable reports whether the copy is a base with the changes up to lastRead.
func (c *Catalogue) isUsable() bool { return !c.lastRead.IsZero() && c.views[sharedIndex] != nil }

// updateState brings the copy up to date: from the log, or from the published base if the copy is too
// old or the log announces a newer base. A copy that is too old is brought up to date from the log if no
// base can be loaded.
func (c *Catalogue) updateState(ctx context.Context, now time.Time) (State, error) {
	c.mu.Lock()
	usable := c.isUsable()
	hasMany := len(c.changed) >= c.maxChanges
	fresh := usable && now.Sub(c.lastRead) < maxStale && !(hasMany && len(c.files) == 0)
	position := snapshot.Position{Complete: c.lastRead, Latest: c.lastAsked}
	c.mu.Unlock()
	if fresh && hasMany {
		isOther, err := c.refreshShard(ctx, now)
		if err != nil {
			c.log.WarnContext(ctx, "no newer shard of the catalogue is loaded", "cause", err)
		}
		fresh = !isOther
	}
	if !fresh {
		state, err := c.loadBase(ctx, now)
		if err == nil || !usable || now.Sub(position.Complete) > snapshot.MaxBehind {
			return state, err
		}
		c.log.WarnContext(ctx, "no base of the catalogue is loaded", "cause", err)
	}
	changes, position, err := c.snapshots.ChangesAfter(ctx, position, now, c.maxAge == 0)
	if err != nil {
		return State{}, err
	}
	c.mu.Lock()
	if c.isUsable() && !c.hasNewerBase(changes) {
		defer c.mu.Unlock()
		return c.applyChanges(ctx, changes, position, now)
	}
	c.mu.Unlock()
	return c.loadBase(ctx, now)
}

// hasNewerBase reports whether the changes announce a base with more than the log has.
func (c *Catalogue) hasNewerBase(changes []snapshot.Change) bool {
	return slices.ContainsFunc(changes, func(change snapshot.Change) bool { return change.Base > c.head.Generation })
}

// loadBase starts again from the published base. It reads the log before it replaces the copy, so that
// the copy can be held if the log or the base cannot be read.
func (c *Catalogue) loadBase(ctx context.Context, now time.Time) (State, error) {
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
	if !isNew && now.Sub(c.lastRead) < maxStale {
		from = c.lastRead // nothing newer is published
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

// hasBase reports whether the copy is that of a head.
func (c *Catalogue) hasBase(head snapshot.Head) bool {
	isSame := head.Format == c.head.Format && head.Generation == c.head.Generation && head.Until == c.head.Until
	return isSame && c.views[sharedIndex] != nil
}
