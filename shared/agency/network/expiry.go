package network

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	// shards is the number of partitions of the due index over which memberships are spread.
	shards cloud.Shards = 16
	// sweepPage is the number of memberships in a page of one shard, and sweepParallel the number
	// of shards that have a turn at the same time.
	sweepPage, sweepParallel = 100, 4
)

// NewSweep returns a sweep that moves rows of candidates with eligibility expired as of now from the lists of those on
// the market to the lists of expired ones, and counts in expired the memberships that it stored as such. Readers compare
// times themselves, so they do not see its delay. It starts no page after more has returned false; left reports whether
// another turn is needed. It is not safe for concurrent use.
func (s *Store) NewSweep(now time.Time, expired *atomic.Int64) func(ctx context.Context, more func() bool) (left bool, err error) {
	walk := cloud.DueQuery{Table: s.table, Shards: shards.Names(), Now: now, Page: sweepPage, Parallel: sweepParallel}.Begin()
	return func(ctx context.Context, more func() bool) (left bool, err error) {
		defer fault.Wrap(&err, "network.Expire")

		return walk.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) error {
			return cloud.ForEach(maxParallelWrites/sweepParallel, page, func(_ int, key cloud.DueKey) error {
				return s.expire(ctx, strings.TrimPrefix(key.PK, membershipKey("")), now, expired)
			})
		})
	}
}

func (s *Store) expire(ctx context.Context, id string, now time.Time, expired *atomic.Int64) error {
	m, found, err := s.Membership(ctx, id)
	if !found || !m.isOverdue(now) { // or not read
		return err
	}
	write := Write{Now: now, Mark: fmt.Sprint("expired ", cloud.ToMillis(m.Market.ExpiresAt))}
	_, err = s.changeMembership(ctx, m, write, func(m *Membership) {
		if m.isOverdue(now) {
			m.lapsed = m.Market.ExpiresAt
		}
	})
	switch {
	case fault.IsMissing(err): // it has been erased since
		return nil
	case err == nil:
		expired.Add(1)
	}
	return err
}

// isOverdue reports whether the candidate is expired at now and still listed on the market.
func (m Membership) isOverdue(now time.Time) bool {
	return m.listedStatus() == contract.OnMarket && m.Market.Status(now) == contract.Expired
}

// maxOverdue bounds the memberships that a page of a list reads one by one because the sweep has
// not reached them.
const maxOverdue = 25

// findOverdue returns the keys of a tenant's memberships with expired eligibility that the
// sweep has not reached. all is false if there are more than maxOverdue.
//
// The index lags behind its items, but this hides no membership: an eligibility that ends now was
// written when it began. Entries that are out of date are recognized when the memberships are read.
func (s *Store) findOverdue(ctx context.Context, t tenant.ID, now time.Time) (keys []dynamo.Keyed, all bool, err error) {
	var found []cloud.DueKey
	index := topology.ExpiryIndex
	_, err = s.table.Get(index.Hash, string(t)).Index(index.Name).
		Range(index.Range, dynamo.LessOrEqual, now.UnixMilli()).
		SearchLimit(maxOverdue+1).AllWithLastEvaluatedKey(ctx, &found)
	for _, key := range found {
		keys = append(keys, dynamo.Keys{key.PK, key.SK})
	}
	return keys, len(keys) <= maxOverdue, err
}
