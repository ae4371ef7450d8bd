package remote

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

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

// writeChanges writes the current state of the roles that changed since a time, according to the
// change log.
func (r *Catalogue) writeChanges(ctx context.Context, w opensearch.Writer, since, now time.Time) error {
	changes, err := r.snapshots.ChangesSince(ctx, since, now)
	if err != nil {
		return err
	}
	ids, err := catalogue.ListChangedIDs(ctx, r.roles, changes)
	if err != nil {
		return err
	}
	return r.writeRoles(ctx, ids, w.Write)
}

// parallelWrites bounds the parts that are read and written at the same time.
const parallelWrites = 4

// writeRoles reads roles and writes their states, part by part.
func (r *Catalogue) writeRoles(ctx context.Context, ids []string, write func(context.Context, []opensearch.State) error) error {
	parts := slices.Collect(slices.Chunk(ids, catalogue.RolesPerRead))
	return cloud.EachUntilError(ctx, parallelWrites, parts, func(ctx context.Context, _ int, some []string) error {
		states, err := r.readStates(ctx, some)
		if err != nil {
			return err
		}
		return write(ctx, states)
	})
}

// readStates reads the states of roles as the domain keeps them.
func (r *Catalogue) readStates(ctx context.Context, ids []string) (states []opensearch.State, err error) {
	deleted := map[string]int64{}
	roles, err := r.roles.ReadRoles(ctx, ids, role.ReadOptions{Consistent: true, Description: true, Deleted: deleted})
	if err != nil {
		return nil, err
	}
	for id, unredacted := range roles {
		docs := catalogue.NewRoleDocs(id, unredacted)
		states = append(states, opensearch.State{ID: id, Revision: unredacted.Revision(), Shared: docs.Shared, Approved: docs.Approved})
	}
	for id, revision := range deleted {
		states = append(states, opensearch.State{ID: id, Revision: revision})
	}
	return states, nil
}
