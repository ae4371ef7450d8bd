package network

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// sweepPage is the number of memberships in a page of one shard, and sweepParallel the number of shards
// that have a turn at the same time.
const sweepPage, sweepParallel = 100, 4

// Sweep moves rows of candidates with expired eligibility from the lists of those on the market to
// the lists of expired ones. Readers compare times themselves, so they do not see its delay. It is
// not safe for concurrent use.
type Sweep struct {
	store   *Store
	now     time.Time
	walk    *cloud.DueWalk
	expired atomic.Int64
}

// NewSweep begins a sweep of the memberships with eligibility expired as of now.
func (s *Store) NewSweep(now time.Time) *Sweep {
	due := cloud.DueQuery{Table: s.table, Shards: shards.Names(), Now: now, Page: sweepPage, Parallel: sweepParallel}
	return &Sweep{store: s, now: now, walk: due.Begin()}
}

// Expired returns how many memberships the sweep stored as expired.
func (w *Sweep) Expired() int { return int(w.expired.Load()) }

// Expire moves the rows of the next memberships with expired eligibility; the error of one does not stop the others. It
// starts no page after more has returned false; left reports whether another turn is needed.
func (w *Sweep) Expire(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "network.Expire")

	return w.walk.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) error {
		return cloud.ForEach(maxParallelWrites/sweepParallel, page, func(_ int, key cloud.DueKey) error {
			return w.expireOne(ctx, strings.TrimPrefix(key.PK, membershipKey("")))
		})
	})
}

func (w *Sweep) expireOne(ctx context.Context, id string) error {
	m, found, err := w.store.Membership(ctx, id)
	if err != nil {
		return err
	}
	if !found || !m.isOverdue(w.now) {
		return nil
	}
	write := Write{Now: w.now, Mark: fmt.Sprint("expired ", cloud.ToMillis(m.Market.ExpiresAt))}
	_, err = w.store.changeMembership(ctx, m, write, func(m *Membership) {
		if m.isOverdue(w.now) {
			m.lapsed = m.Market.ExpiresAt
		}
	})
	switch {
	case fault.IsMissing(err): // it has been erased since
		return nil
	case err == nil:
		w.expired.Add(1)
	}
	return err
}
