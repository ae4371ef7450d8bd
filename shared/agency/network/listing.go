package network

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// maxPages bounds the pages of rows that are read to fill one page. If few rows are visible, a page
// is short and has a cursor.
const maxPages = 10

// Page identifies a page of a list.
type Page struct {
	// After is the sort key after which the page begins; "" for the first page. A sort key stays
	// valid however the list changes, and is the same in the lists of all filters.
	After string
	Limit int
	Now   time.Time
}

// settled is the age from which every eventually consistent read is taken to include a row.
const settled = 2 * time.Minute

// Consistent reports whether the page is read consistently: the first page is, and so is every page
// that can hold a candidate who was added a moment ago.
func (p Page) Consistent() bool {
	added, _, _ := parseSortKey(p.After)
	return p.After == "" || p.Now.Sub(added) < settled
}

// ValidSortKey reports whether a text is the sort key of a row.
func ValidSortKey(text string) bool {
	_, _, ok := parseSortKey(text)
	return ok
}

type listing struct {
	Page
	store  *Store
	tenant tenant.ID
	filter Filter
	// read is the filter of the list being read. That list has all rows that pass filter.
	read Filter
	// position is the sort key of the last row that was read.
	position string
	// rows have been read but not examined yet; left is the number of rows that may still be read.
	rows []rowItem
	left int
	// overdue are rows that belong in the list but have not been moved to it yet, in order.
	overdue []rowItem
	// exhausted says that no rows follow those that were read.
	exhausted bool
}

// List fills a page with the rows that pass a filter and whose owners are active. next is
// the sort key after which the next page begins; "" if there are no more.
//
// A page is one query of the filter's list while enough of its rows pass, and at most ten. Expired
// candidates whose rows the sweep has not moved are read one by one. While there are too many of them,
// List reads the list without a status instead and leaves out most of its rows.
func (s *Store) List(ctx context.Context, t tenant.ID, f Filter, p Page, check OwnerCheck) (page []Row, next string, err error) {
	defer fault.Wrap(&err, "network.List(tenant)")

	l := &listing{Page: p, store: s, tenant: t, filter: f, read: f, position: p.After, left: maxPages * p.Limit}
	if err := l.begin(ctx); err != nil {
		return nil, "", err
	}
	page = make([]Row, 0, l.Limit)
	last := "" // the sort key of the last row looked at
	for more := 3 * l.Limit; ; more *= 2 {
		l.rows, _ = paging.Merge(compareRows, paging.Part[rowItem]{Rows: l.rows, More: !l.exhausted}, paging.Part[rowItem]{Rows: l.overdue})
		l.rows = slices.CompactFunc(l.rows, func(a, b rowItem) bool { return a.SK == b.SK })
		l.overdue = slices.DeleteFunc(l.overdue, func(o rowItem) bool { return l.exhausted || o.SK <= l.position })
		for part := range slices.Chunk(l.rows, l.Limit+1) {
			visible, err := l.visibleRows(ctx, part, check)
			if err != nil {
				return nil, "", err
			}
			for _, item := range part {
				row, passes := visible[item.SK]
				if passes && len(page) == l.Limit {
					return page, last, nil
				}
				if passes {
					page = append(page, row)
				}
				last = item.SK
			}
		}
		switch {
		case l.exhausted:
			return page, "", nil
		case len(page) == l.Limit || l.left == 0:
			return page, last, nil
		}
		if err := l.readRows(ctx, more); err != nil {
			return nil, "", err
		}
	}
}

// maxOverdue bounds the memberships that a page reads one by one because the sweep has not reached them.
const maxOverdue = 25

// begin reads the rows of one page and one more, which shows whether the page is the last one. It
// finds overdue memberships first, so that a row that the sweep moves between the two reads is in
// both, and keeps of theirs the rows that are on the page or on later ones.
func (l *listing) begin(ctx context.Context) error {
	var overdue []dynamo.Keyed
	if l.filter.Status == contract.Expired {
		// The index lags behind its items, but this hides no membership: an eligibility that ends now was written when it
		// began. Entries that are out of date are recognized when the memberships are read.
		var found []cloud.DueKey
		index := topology.ExpiryIndex
		_, err := l.store.table.Get(index.Hash, string(l.tenant)).Index(index.Name).
			Range(index.Range, dynamo.LessOrEqual, l.Now.UnixMilli()).
			SearchLimit(maxOverdue+1).AllWithLastEvaluatedKey(ctx, &found)
		if err != nil {
			return err
		}
		if len(found) > maxOverdue {
			l.read.Status = ""
			found = nil
		}
		for _, key := range found {
			overdue = append(overdue, dynamo.Keys{key.PK, key.SK})
		}
	}
	return cloud.InParallel(ctx,
		func(ctx context.Context) error { return l.readRows(ctx, l.Limit+1) },
		func(ctx context.Context) error {
			members, err := cloud.GetItems[Membership](ctx, l.store.table, overdue, l.Consistent())
			for _, m := range members {
				row := m.toRowItem(l.read)
				isOwners := l.filter.OwnerID == "" || l.filter.OwnerID == m.OwnerID
				if isOwners && row.SK > l.After && m.Market.Status(l.Now) == contract.Expired {
					l.overdue = append(l.overdue, row)
				}
			}
			slices.SortFunc(l.overdue, compareRows)
			return err
		},
	)
}

func (l *listing) readRows(ctx context.Context, n int) error {
	n = min(n, l.left)
	query := l.store.table.Get(topology.PK, l.read.partition(l.tenant)).Consistent(l.Consistent()).SearchLimit(n)
	if l.position != "" {
		query.Range(topology.SK, dynamo.Greater, l.position)
	}
	l.rows = make([]rowItem, 0, n)
	next, err := query.AllWithLastEvaluatedKey(ctx, &l.rows)
	if err != nil {
		return err
	}
	l.exhausted = next == nil
	l.left -= n
	if len(l.rows) > 0 {
		l.position = l.rows[len(l.rows)-1].SK
	}
	return nil
}

func compareRows(a, b rowItem) int { return strings.Compare(a.SK, b.SK) }

// visibleRows returns the rows that pass the filter and have active owners, by sort key.
func (l *listing) visibleRows(ctx context.Context, items []rowItem, check OwnerCheck) (map[string]Row, error) {
	passing := make(map[string]Row, len(items))
	owners := make([]string, 0, len(items))
	for _, item := range items {
		row := item.toRow(l.read)
		if l.filter.Status == "" || l.filter.Status == row.Status(l.Now) {
			passing[item.SK] = row
			owners = append(owners, row.OwnerID)
		}
	}
	active, err := check(ctx, owners)
	maps.DeleteFunc(passing, func(_ string, row Row) bool { return err == nil && !active(row.OwnerID) })
	return passing, err
}

// isOverdue reports whether the candidate is expired at now and still listed on the market.
func (m Membership) isOverdue(now time.Time) bool {
	return m.listedStatus() == contract.OnMarket && m.Market.Status(now) == contract.Expired
}

// sweepPage is the number of memberships in a page of one shard, and sweepParallel the number of shards
// that have a turn at the same time.
const sweepPage, sweepParallel = 100, 4

// NewSweep begins a sweep that moves rows of candidates with eligibility expired as of now from the lists of those on
// the market to the lists of expired ones. Readers compare times themselves, so they do not see its delay. Each call of
// turn is a bounded turn ([cloud.DueWalk.Turn]), one at a time; left reports whether another is needed. The error of
// one membership does not stop the others. expired counts those that were stored as expired.
func (s *Store) NewSweep(now time.Time) (
	turn func(ctx context.Context, more func() bool) (left bool, err error), expired *atomic.Int64,
) {
	walk := cloud.DueQuery{Table: s.table, Shards: shards.Names(), Now: now, Page: sweepPage, Parallel: sweepParallel}.Begin()
	expired = &atomic.Int64{}
	return func(ctx context.Context, more func() bool) (left bool, err error) {
		defer fault.Wrap(&err, "network.Expire")

		return walk.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) error {
			return cloud.ForEach(maxParallelWrites/sweepParallel, page, func(_ int, key cloud.DueKey) error {
				return s.expireOne(ctx, strings.TrimPrefix(key.PK, membershipKey("")), now, expired)
			})
		})
	}, expired
}

func (s *Store) expireOne(ctx context.Context, id string, now time.Time, expired *atomic.Int64) error {
	m, found, err := s.Membership(ctx, id)
	if err != nil {
		return err
	}
	if !found || !m.isOverdue(now) {
		return nil
	}
	write := Write{Now: now, ID: fmt.Sprint("expired ", cloud.ToMillis(m.Market.ExpiresAt))}
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
