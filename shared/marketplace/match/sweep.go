package match

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const (
	// duePage is how many keys one read of the index returns, and one read of items takes.
	duePage = 100
	// matchesPerWrite is how many matches one transaction stores: it takes 100 actions, and a
	// match needs two, for its item and for its row in the list.
	matchesPerWrite = 50
	// maxParallel bounds the shards that are processed at a time, and the small calls of one
	// shard.
	maxParallel = 8
)

// Sweep stores what has become true of matches by a time, in turns. Its turns are bounded by
// pages of the due index and by more, which is false when no other page shall be begun. Its
// memory does not grow with the number of matches. It is for one goroutine.
type Sweep struct {
	*Store
	now             time.Time
	pauseLimit      int
	matches, pauses *cloud.DueWalk
	// expiring says that the walk through the matches, which marks pauses, is not at its end.
	expiring bool
	stored   atomic.Int64

	mu sync.Mutex
	// marked holds the recruiters with pauses that this sweep has marked due.
	marked map[string]bool
}

// NewSweep begins a sweep that pauses auto-match for recruiters with pauseLimit or more
// unresolved matches past their expiry.
func (s *Store) NewSweep(now time.Time, pauseLimit int) *Sweep {
	return &Sweep{
		Store: s, now: now, pauseLimit: pauseLimit, expiring: true, marked: map[string]bool{},
		matches: s.entities.Due(now, "", duePage, maxParallel), pauses: s.duePauses(now),
	}
}

func (s *Store) duePauses(now time.Time) *cloud.DueWalk {
	return s.entities.Due(now, itemkey.MatchPause.SK(), duePage, maxParallel)
}

// Expired returns how many matches the sweep stored as expired.
func (s *Sweep) Expired() int { return int(s.stored.Load()) }

// Expire stores the next matches that are pending past their expiry as expired. If one cannot
// be stored, it still stores the others. left reports whether a turn is left to do.
func (s *Sweep) Expire(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "match.Expire")

	left, err = s.matches.Turn(ctx, more, s.expirePage)
	s.expiring = left
	if !left {
		s.pauses = s.duePauses(s.now) // with those that this sweep has marked
	}
	return left, err
}

// ReconsiderPauses stores the pauses of the next recruiters that are marked due, and ends those
// of recruiters who have fewer unresolved matches. left reports whether a turn is left to do: one
// is until Expire is at its end and all pauses that it marked are done.
func (s *Sweep) ReconsiderPauses(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "match.ReconsiderPauses")

	left, err = s.pauses.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) error {
		return cloud.ForEach(maxParallel, page, func(_ int, k cloud.DueKey) error {
			return s.reconsiderPause(ctx, entity.Key{PK: k.PK, SK: k.SK}, s.pauseLimit, s.now)
		})
	})
	return left || s.expiring, err
}

// expirePage stores one page of matches as expired. It first marks their recruiters' pauses
// due, so that they are considered even if this sweep is killed.
func (s *Sweep) expirePage(ctx context.Context, page []cloud.DueKey) error {
	var keys []entity.Key
	for _, k := range page {
		if k.SK == Key("").SK {
			keys = append(keys, entity.Key{PK: k.PK, SK: k.SK})
		}
	}
	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return err
	}
	var due []entity.Revision
	var recruiters []string
	for _, item := range items {
		r, recruiterID, err := s.expiryRevision(item)
		if err != nil {
			return err
		}
		if recruiterID != "" {
			due = append(due, r)
			recruiters = append(recruiters, recruiterID)
		}
	}
	if err := s.markPausesDue(ctx, recruiters); err != nil {
		return err
	}
	writes := slices.Collect(slices.Chunk(due, matchesPerWrite))
	return cloud.ForEach(maxParallel, writes, func(_ int, some []entity.Revision) error {
		n, err := s.entities.Revise(ctx, some)
		s.stored.Add(int64(n))
		return err
	})
}

// expiryRevision returns the revision that expires a pending match past its expiry, and the
// match's recruiter, who is "" if there is nothing to do.
func (s *Sweep) expiryRevision(item entity.Item) (r entity.Revision, recruiterID string, err error) {
	var m Match
	old, err := item.State("")
	if err == nil {
		err = old.Into(&m)
	}
	isOverdue := old.Live() && m.Status == Pending && m.StatusAt(s.now) == Expired
	if err != nil || !isOverdue {
		return r, "", err
	}
	id := strings.TrimPrefix(item.PK, Key("").PK)
	m.Status = Expired
	return entity.Revision{Key: Key(id), Old: old, Body: m, Rows: m.entityRows(id)[:1]}, m.RecruiterID, nil
}

// markPausesDue marks the pauses of recruiters due, each once a sweep.
func (s *Sweep) markPausesDue(ctx context.Context, recruiters []string) error {
	slices.Sort(recruiters)
	s.mu.Lock()
	recruiters = slices.DeleteFunc(slices.Compact(recruiters), func(id string) bool { return s.marked[id] })
	s.mu.Unlock()
	return cloud.ForEach(maxParallel, recruiters, func(_ int, id string) error {
		if err := s.entities.MarkDueAt(ctx, pauseKey(id), s.now); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.marked[id] = true
		return nil
	})
}
