package catalogue

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

const (
	// rolesPerPart is how many roles a fill writes before it notes its progress.
	rolesPerPart = parallelWrites * rolesPerRead
	// maxIdle is how long a fill that is under way may note no progress.
	maxIdle = time.Minute
	// maxBehind is how far an index may be behind: the log has the changes since.
	maxBehind = snapshot.Retention / 2
)

// fillTime is how much of an invocation of the publisher is spent on a fill; a rebuild may precede it.
var fillTime = topology.Publisher.Timeout * 2 / 5

// Fill fills a new index of the search domain with every role, and lets it take the place of the
// old one: after a bulk load, which writes no log. If it ends before, the next calls of
// [Remote.Sync] go on with it.
func (r *Remote) Fill(ctx context.Context, now func() time.Time, nonce string) error {
	f, err := r.domain.Begin(ctx, now(), nonce)
	if err != nil {
		return err
	}
	return r.fill(ctx, f, now, func() bool { return false })
}

// goOnFilling fills the index that was begun last, for the time that an invocation has, unless
// another call is at it. If there is none, it fills the one that begin returns, or none if begin is nil.
func (r *Remote) goOnFilling(ctx context.Context, now func() time.Time, begin func() (opensearch.Filling, error)) error {
	started := now()
	f, found, err := r.domain.Unfinished(ctx, started.Add(-maxBehind))
	switch {
	case err != nil:
		return err
	case found && started.Sub(time.UnixMilli(f.At)) < maxIdle:
		return nil
	case !found && begin == nil:
		return nil
	case !found:
		if f, err = begin(); err != nil {
			return err
		}
	}
	err = r.fill(ctx, f, now, func() bool { return now().Sub(started) > fillTime })
	if errors.Is(err, opensearch.ErrTaken) {
		return nil
	}
	return err
}

// fill writes the roles that an index lacks, in parts, until the time is over or it is searched.
func (r *Remote) fill(ctx context.Context, f opensearch.Filling, now func() time.Time, isOver func() bool) error {
	var part []string
	for id, err := range r.changes.roles.RoleIDsAfter(ctx, f.Last) {
		if err != nil {
			return err
		}
		if part = append(part, id); len(part) < r.partSize {
			continue
		}
		if err := r.writeRoles(ctx, part, f.Write); err != nil {
			return err
		}
		over, at := isOver(), now()
		if over {
			at = time.UnixMilli(0) // the next call need not wait
		}
		if err := f.Note(ctx, len(part), id, at); err != nil || over {
			return err
		}
		part = nil
	}
	if err := r.writeRoles(ctx, part, f.Write); err != nil {
		return err
	}
	return r.finish(ctx, f, now)
}

// catchUps bounds how often a filled index is brought up to date before it is searched.
const catchUps = 5

// finish brings a filled index up to date, so that readers have few changes to lay over it and
// it is not behind the one that they search, and lets it be searched.
func (r *Remote) finish(ctx context.Context, f opensearch.Filling, now func() time.Time) error {
	searched, err := r.domain.WritersHead(ctx)
	if err != nil && !errors.Is(err, opensearch.ErrAbsent) {
		return err
	}
	until := f.Begun
	for range catchUps {
		begun := now()
		if begun.Sub(until) < topology.Publisher.Every && until.UnixMilli() >= searched.Until {
			break
		}
		if err := r.writeChanges(ctx, f.Writer, until, begun); err != nil {
			return err
		}
		until = begun
	}
	return f.Finish(ctx, until)
}
