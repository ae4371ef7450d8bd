package catalogue

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// update is a call that brings the copy up to date or loads it. One runs at a time, and the copy is
// its own as long.
type update struct {
	// overdue is closed when others no longer wait for the update if a copy can be served; done is
	// closed at its end.
	overdue, done chan struct{}
	timer         *time.Timer
	// err is why nothing can be served after the update. It is set before done is closed.
	err error
}

func (u *update) wait(ctx context.Context) error {
	select {
	case <-u.done:
		return u.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join returns the copy if it was brought up to date a moment ago, or could not be and is held.
// Otherwise it returns the update that is running, or a new one, which the caller has to make.
func (c *Catalogue) join(now time.Time) (_ State, running *update, isOwn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.served.nextPoll) && c.served.isRecent(now) {
		return c.served, nil, false
	}
	running, isOwn = c.begin()
	return State{}, running, isOwn
}

// begin returns the update that is running, or a new one, which the caller has to make. c.mu is held.
func (c *Catalogue) begin() (_ *update, isOwn bool) {
	if c.running != nil {
		return c.running, false
	}
	u := &update{overdue: make(chan struct{}), done: make(chan struct{})}
	u.timer = time.AfterFunc(c.patience, func() { close(u.overdue) })
	c.running = u
	return u, true
}

// end ends an update, which has left the copy as it is and returned an error.
func (c *Catalogue) end(ctx context.Context, u *update, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served = c.own
	c.running = nil
	u.timer.Stop()
	if ctx.Err() == nil { // else the caller is gone, and another one tries again
		u.err = err
	}
	close(u.done)
}

// await waits for an update that another call makes. If it takes long, await returns the copy as it
// was before, unless that is too old or each list has to read the log.
func (c *Catalogue) await(ctx context.Context, running *update, now time.Time) (_ State, ok bool, err error) {
	select {
	case <-running.overdue:
	case <-running.done:
		return State{}, false, running.err
	case <-ctx.Done():
		return State{}, false, ctx.Err()
	}
	c.mu.Lock()
	held := c.served
	c.mu.Unlock()
	if c.maxAge > 0 && held.isRecent(now) {
		return held, true, nil
	}
	return State{}, false, running.wait(ctx)
}

// runUpdate makes an update: it brings the copy up to date or, if it cannot, holds it.
func (c *Catalogue) runUpdate(ctx context.Context, own *update, now time.Time) (_ State, err error) {
	defer func() { c.end(ctx, own, err) }()
	err = c.updateCopy(ctx, now)
	switch {
	case err == nil:
		age := c.maxAge // for which the copy is used as it is
		if c.sharesReads() {
			age /= 2
		}
		c.own.nextPoll = now.Add(age)
	case ctx.Err() == nil:
		err = c.hold(ctx, now, err)
	}
	return c.own, err
}

// hold keeps the copy as it was when the log was last read, although it cannot be brought up to date
// because of cause. It returns a refusal if no copy exists, or if that read is longer ago than MaxHeld.
// It logs the age of the copy.
func (c *Catalogue) hold(ctx context.Context, now time.Time, cause error) error {
	if c.own.isUsable() {
		c.own.nextPoll = now.Add(c.maxAge)
		age := now.Sub(c.own.read.Latest)
		c.log.WarnContext(ctx, "the catalogue is held", topology.MetricCatalogueAge, age.Seconds(), "cause", cause)
	}
	if !c.own.isRecent(now) {
		return fault.Refusal(heldRetryAfter, cause)
	}
	return nil
}

// updateCopy brings the copy up to date: from the digests that instances share, from the log if these
// do not continue the copy, or from the published base if the copy is too old or a newer base is
// announced. Of a copy with many changes it replaces a shard first.
func (c *Catalogue) updateCopy(ctx context.Context, now time.Time) error {
	head := c.readDigestHead(ctx)
	hasMany := len(c.own.changed) >= c.maxChanges
	hasOnlyChanges := hasMany && len(c.head.Files) == 0
	fresh := c.own.isUsable() && now.Sub(c.own.read.Complete) < maxStale && !hasOnlyChanges
	if fresh && hasMany {
		isOther, err := c.refreshShard(ctx, now)
		if err != nil {
			c.log.WarnContext(ctx, "no newer shard of the catalogue is loaded", "cause", err)
		}
		fresh = !isOther
	}
	if head != nil && fresh {
		err := c.followDigests(ctx, *head, now)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case errors.Is(err, errNewerBase):
			fresh = false
		case !errors.Is(err, errNoDigests):
			c.log.WarnContext(ctx, "the digests of the log of changes are not followed", "cause", err)
		}
	}
	err := c.readState(ctx, head, fresh, now)
	if err == nil && head != nil {
		c.joinDigests(ctx, *head, now)
	}
	return err
}

// readState brings the copy up to date from the log, or from the published base unless the copy is fresh.
// A copy that is too old is brought up to date from the log if no base can be loaded.
func (c *Catalogue) readState(ctx context.Context, head *snapshot.Digests, fresh bool, now time.Time) error {
	usable := c.own.isUsable()
	position := c.own.read
	if !fresh {
		err := c.loadBase(ctx, head, now)
		if err == nil || !usable || now.Sub(position.Complete) > snapshot.MaxBehind {
			return err
		}
		c.log.WarnContext(ctx, "no base of the catalogue is loaded", "cause", err)
	}
	joins := head != nil // then digests follow, and nothing is read from the log again
	changes, position, err := c.snapshots.ChangesAfter(ctx, position, now, joins || c.maxAge == 0)
	if err != nil {
		return err
	}
	isAnnounced := slices.ContainsFunc(changes, func(change snapshot.Change) bool { return change.Base > c.head.Generation })
	if !c.own.isUsable() || isAnnounced { // the base has more than the log
		return c.loadBase(ctx, head, now)
	}
	return c.applyChanges(ctx, changes, position, now)
}

// loadBase starts again from the published base. It reads the digests or the log before it replaces the
// copy, so that the copy can be held if these or the base cannot be read.
func (c *Catalogue) loadBase(ctx context.Context, shared *snapshot.Digests, now time.Time) (err error) {
	defer fault.Wrap(&err, "catalogue.loadBase")

	head, err := c.newestBase(ctx)
	if err != nil {
		return err
	}
	from := time.UnixMilli(head.Until)
	isSame := head.Format == c.head.Format && head.Generation == c.head.Generation && head.Until == c.head.Until
	isNew := !isSame || c.own.views[sharedIndex] == nil
	var changes []snapshot.Change
	var digests []digest
	follows := false
	if isNew {
		digests, follows = c.digestsSince(ctx, shared, from, now)
	}
	if !follows {
		if !isNew && now.Sub(c.own.read.Complete) < maxStale {
			from = c.own.read.Complete // nothing newer is published
		}
		changes, err = c.snapshots.ChangesSince(ctx, from, now)
		if err != nil {
			return err
		}
	}
	if isNew {
		if err := c.openBase(ctx, head); err != nil {
			return err
		}
	}
	if !follows {
		return c.applyChanges(ctx, changes, snapshot.Position{Complete: now, Latest: now}, now)
	}
	return c.applyDigests(digests, *shared, now)
}

// applyChanges reads the current state of the changed roles and merges it into the views. Entries that
// the views contain are not read again.
func (c *Catalogue) applyChanges(ctx context.Context, changes []snapshot.Change, read snapshot.Position, now time.Time) error {
	changes = slices.DeleteFunc(changes, func(change snapshot.Change) bool {
		_, known := c.seen[change.Key]
		return known
	})
	ids, err := ListChangedIDs(ctx, c.roles, changes)
	if err != nil {
		return err
	}
	changed, err := c.readRoles(ctx, ids, nil)
	if err != nil {
		return err
	}
	c.mergeChanges(changed, now)
	for _, change := range changes {
		c.seen[change.Key] = now
	}
	maps.DeleteFunc(c.seen, func(_ string, at time.Time) bool { return now.Sub(at) > keptEntries })
	c.advanceTo(read)
	return nil
}

// mergeChanges merges the changes of roles, which were found at a time, into the views.
func (c *Catalogue) mergeChanges(changes []roleindex.RoleDocs, found time.Time) {
	c.own.at = found
	if len(changes) == 0 {
		return
	}
	c.own.changed = maps.Clone(c.own.changed)
	for n := range c.own.views {
		c.own.views[n] = c.own.views[n].Overlay(docsIn(changes, n))
	}
	for _, d := range changes {
		c.own.changed[d.ID] = found
	}
}
