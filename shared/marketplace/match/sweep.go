package match

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

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

// Expire stores the matches that are pending past their expiry at a time as expired. It
// pauses auto-match for recruiters with pauseLimit or more unresolved matches past their
// expiry, and ends the pause of those who have fewer. It returns how many matches it stored;
// if one cannot be stored, it still stores the others.
//
// Expire starts no page of 100 after more has returned false: what is left is due for the
// next call. Its memory does not grow with the number of matches.
func (s *Store) Expire(ctx context.Context, now time.Time, pauseLimit int, more func() bool) (expired int, err error) {
	run := sweepRun{Store: s, now: now, more: more, marked: map[string]bool{}}
	// The pauses come after all matches, so that each recruiter's is considered once.
	err = errors.Join(
		run.forEachDuePage(ctx, func(ctx context.Context, keys []entity.Key) error {
			return run.expirePage(ctx, keysWith(keys, Key("").SK))
		}),
		run.forEachDuePage(ctx, func(ctx context.Context, keys []entity.Key) error {
			return runEach(keysWith(keys, itemkey.MatchPause.SK()), func(k entity.Key) error { return s.reconsiderPause(ctx, k, pauseLimit, now) })
		}),
	)
	return int(run.stored.Load()), err
}

// keysWith returns those of the keys that have a sort key.
func keysWith(keys []entity.Key, sk string) (some []entity.Key) {
	for _, k := range keys {
		if k.SK == sk {
			some = append(some, k)
		}
	}
	return some
}

// runEach calls act for all, some at a time, and returns the errors of those that failed.
func runEach[T any](all []T, act func(T) error) error {
	errs := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(maxParallel)
	for i, one := range all {
		group.Go(func() error { errs[i] = act(one); return nil })
	}
	_ = group.Wait() // it returns none: they are in errs
	return errors.Join(errs...)
}

// sweepRun is one call of Expire.
type sweepRun struct {
	*Store
	now    time.Time
	more   func() bool
	stored atomic.Int64

	mu sync.Mutex
	// marked are the recruiters whose pauses this run has marked due.
	marked map[string]bool
}

// forEachDuePage calls page with every page of keys that are due, for several shards at a time.
func (s *sweepRun) forEachDuePage(ctx context.Context, page func(context.Context, []entity.Key) error) error {
	var shards [entity.Shards]int
	for i := range shards {
		shards[i] = i
	}
	return runEach(shards[:], func(shard int) (failed error) {
		for keys, err := range s.entities.Due(ctx, shard, s.now, duePage) {
			if !s.more() {
				break
			}
			if err == nil {
				err = page(ctx, keys)
			}
			failed = errors.Join(failed, err)
		}
		return failed
	})
}

// expirePage stores one page of matches as expired. It first marks their recruiters' pauses
// due, so that they are considered even if this run is killed.
func (s *sweepRun) expirePage(ctx context.Context, keys []entity.Key) error {
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
			due, recruiters = append(due, r), append(recruiters, recruiterID)
		}
	}
	if err := s.markPausesDue(ctx, recruiters); err != nil {
		return err
	}
	return runEach(slices.Collect(slices.Chunk(due, matchesPerWrite)), func(some []entity.Revision) error {
		n, err := s.entities.Revise(ctx, some)
		s.stored.Add(int64(n))
		return err
	})
}

// expiryRevision returns the revision that expires a pending match past its expiry, and the
// match's recruiter, who is "" if there is nothing to do.
func (s *sweepRun) expiryRevision(item entity.Item) (r entity.Revision, recruiterID string, err error) {
	var m Match
	old, err := item.State("")
	if err == nil {
		err = old.Into(&m)
	}
	if err != nil || !old.Live() || m.Status != Pending || m.StatusAt(s.now) != Expired {
		return r, "", err
	}
	id := strings.TrimPrefix(item.PK, Key("").PK)
	m.Status = Expired
	return entity.Revision{Key: Key(id), Old: old, Body: m, Rows: m.entityRows(id)[:1]}, m.RecruiterID, nil
}

// markPausesDue marks the pauses of recruiters due, each once a run.
func (s *sweepRun) markPausesDue(ctx context.Context, recruiters []string) error {
	slices.Sort(recruiters)
	s.mu.Lock()
	recruiters = slices.DeleteFunc(slices.Compact(recruiters), func(id string) bool { return s.marked[id] })
	s.mu.Unlock()
	return runEach(recruiters, func(id string) error {
		if err := s.entities.MarkDueAt(ctx, pauseKey(id), s.now); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.marked[id] = true
		return nil
	})
}
