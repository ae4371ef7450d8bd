package catalogue

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// Sync brings the search domain up to date by the change log, and fills it if it has no
// index. It reads the clock when it begins. It may run several times at once: states carry
// the revisions of their roles, and the later one stays.
func (r *Remote) Sync(ctx context.Context, now func() time.Time, nonce string) error {
	head, err := r.domain.Head(ctx)
	until, begun := time.UnixMilli(head.Until), now()
	if errors.Is(err, opensearch.ErrAbsent) || err == nil && begun.Sub(until) > snapshot.Retention/2 {
		return r.fillOnce(ctx, now, nonce)
	}
	if err != nil {
		return err
	}
	writer, err := r.domain.Writer(ctx)
	if err != nil {
		return err
	}
	changes, err := r.changes.snapshots.ChangesSince(ctx, until)
	if err != nil {
		return err
	}
	var ids []string
	for _, change := range changes {
		if change.ID != "" {
			ids = append(ids, change.ID)
		}
	}
	slices.Sort(ids)
	if err := r.writeRoles(ctx, slices.Compact(ids), writer.Write); err != nil {
		return err
	}
	return writer.Commit(ctx, begun)
}

// fillOnce fills a new index unless another call does.
func (r *Remote) fillOnce(ctx context.Context, now func() time.Time, nonce string) error {
	filling, err := r.domain.IsFilling(ctx, now())
	if err != nil || filling {
		return err
	}
	return r.Fill(ctx, now, nonce)
}

// Fill fills a new index of the search domain with every role, and lets it take the place of the
// old one: where there is none, and after a bulk load, which writes no log.
func (r *Remote) Fill(ctx context.Context, now func() time.Time, nonce string) error {
	begun := now()
	return r.domain.Fill(ctx, begun, nonce, func(w opensearch.Writer) error {
		ids, err := r.changes.roles.RoleIDs(ctx)
		if err != nil {
			return err
		}
		return r.writeRoles(ctx, ids, w.Write)
	})
}

// parallelWrites bounds the parts that are read and written at the same time.
const parallelWrites = 4

// writeRoles reads roles and writes their states, part by part.
func (r *Remote) writeRoles(ctx context.Context, ids []string, write func(context.Context, []opensearch.State) error) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelWrites)
	for some := range slices.Chunk(ids, rolesPerRead) {
		g.Go(func() error {
			states, err := r.readStates(gctx, some)
			if err != nil {
				return err
			}
			return write(gctx, states)
		})
	}
	return g.Wait()
}

// readStates reads the states of roles as the domain keeps them.
func (r *Remote) readStates(ctx context.Context, ids []string) (states []opensearch.State, err error) {
	deleted := map[string]int64{}
	roles, err := r.changes.roles.ReadRoles(ctx, ids, role.ReadOptions{Consistent: true, Prose: true, Deleted: deleted})
	if err != nil {
		return nil, err
	}
	for id, unredacted := range roles {
		docs := newDocs(unredacted, 1)
		s := opensearch.State{ID: id, Revision: unredacted.Revision(), Shared: &docs.Shared[0]}
		if len(docs.Approved) > 0 {
			s.Approved = &docs.Approved[0]
		}
		states = append(states, s)
	}
	for id, revision := range deleted {
		states = append(states, opensearch.State{ID: id, Revision: revision})
	}
	return states, nil
}
