package match

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const (
	// duePage is how many keys one read of the index returns, and one read of items takes.
	duePage = 100
	// matchesPerWrite is how many matches one transaction of 100 actions stores: each has an item and a row in the list.
	matchesPerWrite = 50
	// maxParallel bounds the shards that are processed at a time, and the small calls of one shard.
	maxParallel = 8
)

// Sweep stores what has become true of matches by a time, in turns. Its turns are bounded by
// pages of the due index and by more, which is false when no other page shall be begun. Its
// memory does not grow with the number of matches. It is for one goroutine.
type Sweep struct {
	*Store
	now        time.Time
	pauseLimit int
	due        *cloud.DueWalk
	stored     atomic.Int64
	// decisions has a func() error for each pause, by its partition key: it decides about the pause once in
	// a sweep, and returns the result to all that need it.
	decisions sync.Map
}

// NewSweep begins a sweep that pauses auto-match for recruiters with pauseLimit or more unresolved matches past their expiry.
func (s *Store) NewSweep(now time.Time, pauseLimit int) *Sweep {
	return &Sweep{Store: s, now: now, pauseLimit: pauseLimit, due: s.entities.Due(now, duePage, maxParallel)}
}

// Expired returns how many matches the sweep stored as expired.
func (s *Sweep) Expired() int { return int(s.stored.Load()) }

// Expire stores the next matches that are pending past their expiry as expired, and the pauses of
// recruiters whose number of unresolved matches may have changed. If one cannot be stored, it still
// stores the others. left reports whether a turn is left to do.
func (s *Sweep) Expire(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "match.Expire")

	return s.due.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) error {
		var matches, pauses []entity.Key
		for _, k := range page {
			key := entity.Key{PK: k.PK, SK: k.SK}
			if key.SK == Key("").SK {
				matches = append(matches, key)
			} else {
				pauses = append(pauses, key)
			}
		}
		undecided := cloud.ForEach(maxParallel, pauses, func(_ int, k entity.Key) error { return s.decideOnce(ctx, k) })
		return errors.Join(undecided, s.expireMatches(ctx, matches))
	})
}

// decideOnce stores a pause, waits for another page of the sweep that is storing it, or returns the
// result of the first. A pause that failed is decided again by the next sweep.
func (s *Sweep) decideOnce(ctx context.Context, k entity.Key) error {
	decide := sync.OnceValue(func() error { return s.decidePause(ctx, k, s.pauseLimit, s.now) })
	first, _ := s.decisions.LoadOrStore(k.PK, decide)
	return first.(func() error)()
}

// expireMatches stores matches as expired, after it has decided about their recruiters' pauses. Where it cannot, the
// matches stay due: a match that is due brings its recruiter's pause to the next sweep, also if this one is killed.
func (s *Sweep) expireMatches(ctx context.Context, keys []entity.Key) (err error) {
	defer fault.Wrap(&err, "match.expireMatches(matchIDs)")

	items, err := s.entities.Items(ctx, keys, true)
	if err != nil {
		return err
	}
	due := map[entity.Key][]entity.Revision{} // by the pauses of the recruiters
	var pauses []entity.Key
	for _, item := range items {
		var m Match
		old, err := item.State("")
		if err == nil {
			err = old.Into(&m)
		}
		if err != nil {
			return err
		}
		isOverdue := old.Live() && m.Status == contract.MatchStatusPending && m.StatusAt(s.now) == contract.MatchStatusExpired
		if !isOverdue || m.RecruiterID == "" {
			continue
		}
		id := strings.TrimPrefix(item.PK, Key("").PK)
		m.Status = contract.MatchStatusExpired
		pause := pauseKey(m.RecruiterID)
		if due[pause] == nil {
			pauses = append(pauses, pause)
		}
		due[pause] = append(due[pause], entity.Revision{Key: Key(id), Old: old, Body: m, Rows: m.entityRows(id)[:1]})
	}
	decided := make([][]entity.Revision, len(pauses))
	undecided := cloud.ForEach(maxParallel, pauses, func(n int, pause entity.Key) error {
		err := s.decideOnce(ctx, pause)
		if err == nil {
			decided[n] = due[pause]
		}
		return err
	})
	writes := slices.Collect(slices.Chunk(slices.Concat(decided...), matchesPerWrite))
	err = cloud.ForEach(maxParallel, writes, func(_ int, some []entity.Revision) error {
		n, err := s.entities.Revise(ctx, some)
		s.stored.Add(int64(n))
		return err
	})
	return errors.Join(undecided, err)
}

// Pause marks a recruiter with auto-match paused because too many expired matches are unresolved.
type Pause struct {
	Since contract.Time `json:"since"`
}

func pauseKey(recruiterID string) entity.Key { return entity.KeyOf(itemkey.MatchPause, recruiterID) }

// decidePause stores whether a recruiter is paused, by the matches past their expiry, whether or not a sweep has
// stored them as expired yet. If a match changes in between, they are counted again.
func (s *Store) decidePause(ctx context.Context, k entity.Key, limit int, now time.Time) (err error) {
	defer fault.Wrap(&err, "match.decidePause(recruiterID)")

	for range 50 { // each attempt that is lost is a change of the recruiter's matches
		read, err := s.entities.Get(ctx, k)
		if err != nil {
			return err
		}
		unresolved := 0 // the recruiter's matches that are past their expiry, up to the limit
		for row, err := range s.entities.Query(ctx, entity.Query{PK: k.PK, Prefix: itemkey.UnresolvedMatch.Prefix()}) {
			var o unresolvedRow
			if err == nil {
				err = row.Into(&o)
			}
			if err != nil {
				return err
			}
			if o.Expires <= now.UnixMilli() {
				unresolved++
			}
			if unresolved == limit {
				break
			}
		}
		var body any
		if unresolved == limit {
			pause, err := entity.Decode[Pause](read)
			if err != nil || pause.Since.IsZero() { // none, or one that cannot be decoded
				pause.Since = contract.At(now)
			}
			body = pause
		}
		done, err := s.entities.ClearDue(ctx, k, read, body)
		if done || err != nil {
			return err
		}
	}
	return entity.ErrContention
}

// unresolvedRow is the content of the row that an unresolved match has: a pending or an
// expired one. Storing that the match expired does not change the row.
type unresolvedRow struct {
	// Expires is in milliseconds since 1970.
	Expires int64 `json:"e"`
}

func (m Match) unresolvedRow(id string) (row entity.Row, isOpen bool) {
	var o unresolvedRow
	switch m.Status {
	case contract.MatchStatusPending:
		o.Expires = m.ExpiresAt().UnixMilli()
	case contract.MatchStatusExpired: // even before its expiry, if the marketplace says so
	default:
		return row, false
	}
	return entity.RowOf(itemkey.UnresolvedMatch, o, m.RecruiterID, m.Candidate.CandidateID, m.RoleID, id), true
}
