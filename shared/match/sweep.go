package match

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/entity"
)

const (
	// duePage is what one read of the index brings, and one read of items takes.
	duePage = 100
	// writing bounds the matches of a page that are stored at one time.
	writing = 16
)

// Expire stores as expired what is pending past its window at a time, and marks
// the recruiters who have pauseLimit or more such matches that are not resolved;
// it takes the mark off those who have fewer again. It counts the matches that this
// call stored; one that cannot be stored does not keep the others from it.
func (s *Store) Expire(ctx context.Context, now time.Time, pauseLimit int) (expired int, err error) {
	var stored atomic.Int64
	// The marks come after all matches: a recruiter's is looked at once.
	err = errors.Join(
		s.shards(ctx, now, func(ctx context.Context, keys []entity.Key) error {
			n, err := s.expire(ctx, of(keys, Key("").SK), now)
			stored.Add(int64(n))
			return err
		}),
		s.shards(ctx, now, func(ctx context.Context, keys []entity.Key) (failed error) {
			for _, k := range of(keys, pauseSK) {
				failed = errors.Join(failed, s.reconsider(ctx, k, pauseLimit, contract.At(now)))
			}
			return failed
		}),
	)
	return int(stored.Load()), err
}

// of are those of the keys with a sort key.
func of(keys []entity.Key, sk string) (some []entity.Key) {
	for _, k := range keys {
		if k.SK == sk {
			some = append(some, k)
		}
	}
	return some
}

// shards hands every page of what is due to each, several shards side by side.
func (s *Store) shards(ctx context.Context, now time.Time, each func(context.Context, []entity.Key) error) error {
	errs := make([]error, entity.Shards)
	var group errgroup.Group
	group.SetLimit(4)
	for shard := range entity.Shards {
		group.Go(func() error {
			for keys, err := range s.entities.Due(ctx, shard, now, duePage) {
				if err == nil {
					err = each(ctx, keys)
				}
				errs[shard] = errors.Join(errs[shard], err)
			}
			return nil
		})
	}
	_ = group.Wait() // it has none: they are in errs
	return errors.Join(errs...)
}

// expire stores one page of matches. Their recruiters' marks are poked before, so
// that they are looked at whatever becomes of this run.
func (s *Store) expire(ctx context.Context, keys []entity.Key, now time.Time) (int, error) {
	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return 0, err
	}
	type due struct {
		id  string
		old entity.State
		Match
	}
	var all []due
	recruiters := map[string]bool{}
	for _, item := range items {
		one := due{id: strings.TrimPrefix(item.PK, Key("").PK)}
		if one.old, err = item.State(""); err == nil {
			err = one.old.Into(&one.Match)
		}
		if err != nil {
			return 0, err
		}
		if one.old.Live() && one.Status == Pending && one.StatusAt(now) == Expired {
			all, recruiters[one.RecruiterID] = append(all, one), true
		}
	}
	for id := range recruiters {
		if err := s.entities.PokeNow(ctx, pauseKey(id)); err != nil {
			return 0, err
		}
	}
	var stored atomic.Int64
	errs := make([]error, len(all))
	var group errgroup.Group
	group.SetLimit(writing)
	for i, one := range all {
		group.Go(func() error {
			was := one.rows(one.id)
			one.Status = Expired
			r := entity.Revision{Key: Key(one.id), Old: one.old, Body: one.Match, Put: one.rows(one.id), Drop: was[1:]}
			done, err := s.entities.Revise(ctx, r)
			if done {
				stored.Add(1)
			}
			errs[i] = err
			return nil
		})
	}
	_ = group.Wait() // it has none: they are in errs
	return int(stored.Load()), errors.Join(errs...)
}
