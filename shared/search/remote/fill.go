package remote

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

const (
	rolesPerPart   = parallelWrites * catalogue.RolesPerRead // which a fill writes before it records its progress
	parallelWrites = 4
	// maxIdle is the time without recorded progress after which another call may continue a fill.
	maxIdle = time.Minute
)

// fillTime is the part of a publisher invocation that is spent on a fill. A rebuild may precede it.
var fillTime = topology.Publisher.Timeout * 2 / 5

// Fill fills a new index of the search domain with every role and then replaces the old index by
// it. It is called after a bulk load, which writes no log. If Fill is interrupted, the next calls
// of [Catalogue.Sync] continue the fill.
func (r *Catalogue) Fill(ctx context.Context, now func() time.Time, nonce string) (err error) {
	defer fault.Wrap(&err, "remote.Fill")

	f, err := r.domain.Begin(ctx, now(), nonce)
	if err != nil {
		return err
	}
	return r.fill(ctx, f, now, func() bool { return false })
}

// goOnFilling continues to fill the index that was begun last, for at most fillTime, unless another
// call is filling it. If no such index exists, it fills the one that begin returns; if begin is
// nil, it does nothing.
func (r *Catalogue) goOnFilling(ctx context.Context, now func() time.Time, begin func() (opensearch.Filling, error)) error {
	started := now()
	f, found, err := r.domain.Unfinished(ctx, started.Add(-snapshot.MaxBehind))
	switch {
	case err != nil:
		return err
	case found && started.Sub(time.UnixMilli(f.At)) < maxIdle:
		return nil
	case !found && begin == nil:
		return nil
	case !found:
		f, err = begin()
		if err != nil {
			return err
		}
	}
	err = r.fill(ctx, f, now, func() bool { return now().Sub(started) > fillTime })
	if errors.Is(err, opensearch.ErrTaken) {
		return nil
	}
	return err
}

// fill writes the roles that an index lacks, part by part, until isOver returns true, and then finishes the index.
func (r *Catalogue) fill(ctx context.Context, f opensearch.Filling, now func() time.Time, isOver func() bool) error {
	var part []string
	for id, err := range r.roles.RoleIDs(ctx, f.Last) {
		if err != nil {
			return err
		}
		part = append(part, id)
		if len(part) < r.PartSize {
			continue
		}
		if err := catalogue.ReadDocs(ctx, r.roles, part, parallelWrites, f.Write); err != nil {
			return err
		}
		over := isOver()
		at := now()
		if over {
			at = time.UnixMilli(0) // the next call may continue at once
		}
		if err := f.Note(ctx, len(part), id, at); err != nil || over {
			return err
		}
		part = nil
	}
	if err := catalogue.ReadDocs(ctx, r.roles, part, parallelWrites, f.Write); err != nil {
		return err
	}
	return r.finish(ctx, f, now)
}

// catchUps bounds how often a filled index is brought up to date before searches use it.
const catchUps = 5

// finish brings a filled index up to date, so that readers have few changes to apply and see no
// older state than before, and then makes it the index that is searched.
func (r *Catalogue) finish(ctx context.Context, f opensearch.Filling, now func() time.Time) error {
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

// Sync brings the search domain up to date from the change log. If the domain has no index, or one
// that is too old, Sync fills a new index; each call does as much as an invocation has time for.
// now is the clock. Several calls may run at the same time: states carry the revisions of their
// roles, and the later revision is kept.
func (r *Catalogue) Sync(ctx context.Context, now func() time.Time, nonce string) (err error) {
	defer fault.Wrap(&err, "remote.Sync")

	head, err := r.domain.WritersHead(ctx)
	until := time.UnixMilli(head.Until)
	begun := now()
	switch {
	case errors.Is(err, opensearch.ErrAbsent) || err == nil && begun.Sub(until) > snapshot.MaxBehind:
		return r.goOnFilling(ctx, now, func() (opensearch.Filling, error) { return r.domain.Begin(ctx, begun, nonce) })
	case err != nil:
		return err
	}
	writer, err := r.domain.Writer(ctx)
	if err == nil {
		err = r.writeChanges(ctx, writer, until, begun)
	}
	if err == nil {
		err = writer.Commit(ctx, begun)
	}
	return errors.Join(err, r.goOnFilling(ctx, now, nil))
}

func (r *Catalogue) writeChanges(ctx context.Context, w opensearch.Writer, since, now time.Time) error {
	changes, err := r.snapshots.ChangesSince(ctx, since, now)
	if err != nil {
		return err
	}
	ids, err := catalogue.ListChangedIDs(ctx, r.roles, changes)
	if err != nil {
		return err
	}
	return catalogue.ReadDocs(ctx, r.roles, ids, parallelWrites, w.Write)
}
