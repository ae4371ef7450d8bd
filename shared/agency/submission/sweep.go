package submission

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Sweep is one run over the items that are due at a time. A turn processes one page of each
// shard of the due index; more reports whether it may begin another page. A Sweep is not safe
// for concurrent use.
type Sweep struct {
	store *Store
	now   time.Time
	// send takes the hints of one page, concurrently for different shards.
	send            func(ctx context.Context, hints []cloud.Message) error
	live, disposals *cloud.DueWalk
	ended, resent   atomic.Int64
	// sendFailed is set when hints could not be sent.
	sendFailed atomic.Bool
}

const (
	livePage     = 25 // items, one after the other
	liveParallel = 4  // pages
)

// NewSweep begins a sweep that sends hints with send.
func (s *Store) NewSweep(now time.Time, send func(ctx context.Context, hints []cloud.Message) error) *Sweep {
	names := make([]string, shards)
	for n := range names {
		names[n] = shardName(n)
	}
	return &Sweep{
		store: s, now: now, send: send,
		live:      cloud.DueQuery{Table: s.table, Shards: names, Now: now, Page: livePage, Parallel: liveParallel}.Begin(),
		disposals: cloud.DueQuery{Table: s.table, Shards: []string{disposalShard}, Now: now, Page: disposalPage, Parallel: 1}.Begin(),
	}
}

// Swept counts the items that the sweep ended and those whose hints were sent.
func (w *Sweep) Swept() Swept { return Swept{int(w.ended.Load()), int(w.resent.Load())} }

// Swept are the counts of a sweep.
type Swept struct{ Ended, Resent int }

// CheckLive checks the next live items that are due: it ends those past their deadline or out
// of attempts, and sends the hints of those that no worker claimed or whose worker's lease is
// over. Before its hint is sent, each item's next check is stored, so that a lost hint is sent
// again and concurrent sweeps send each hint once. left reports whether another turn is needed.
//
// When hints cannot be sent, the rest of the sweep only ends items, and the others stay due.
func (w *Sweep) CheckLive(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "submission.CheckLive")

	return w.live.Turn(ctx, more, w.checkPage)
}

// checkPage checks the items of one page; the error of one does not stop the others.
func (w *Sweep) checkPage(ctx context.Context, page []cloud.DueKey) (failed error) {
	var hints []cloud.Message
	for _, key := range page {
		send, ended, err := w.checkLive(ctx, key.PK)
		switch failed = errors.Join(failed, err); {
		case ended && err == nil:
			w.ended.Add(1)
		case send != nil:
			hints = append(hints, *send)
		}
	}
	if len(hints) == 0 {
		return failed
	}
	if err := w.send(ctx, hints); err != nil {
		w.sendFailed.Store(true)
		return errors.Join(failed, err)
	}
	w.resent.Add(int64(len(hints)))
	return failed
}

// checkLive reads the item itself, because an index may be stale, and ends or postpones it.
func (w *Sweep) checkLive(ctx context.Context, id string) (send *cloud.Message, ended bool, err error) {
	var item liveItem
	err = w.store.table.Get(topology.PK, id).Range(topology.SK, dynamo.Equal, liveKind).Consistent(true).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && item.Due > w.now.UnixMilli() {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if ended, err = w.store.endIfDue(ctx, item, w.now); ended || err != nil || w.sendFailed.Load() {
		return nil, ended, err
	}
	sub, err := item.decodeSubmission()
	if err != nil {
		return nil, false, err
	}
	if moved, err := w.store.postponeLive(ctx, item, sub, w.now); err != nil || !moved {
		return nil, false, err
	}
	return new(sub.toHint()), false, nil
}

// maxResend bounds the doubled wait before a hint, as a multiple of the first wait.
const maxResend = 4

// postponeLive stores the next check of an item, after twice the wait up to a limit, and queues an
// item whose lease is over again. It reports false if the item changed in the meantime.
func (s *Store) postponeLive(ctx context.Context, item liveItem, sub Submission, now time.Time) (bool, error) {
	interval := min(2*item.Interval, maxResend*s.settings.Resend.Milliseconds())
	due := min(now.UnixMilli()+interval, item.Deadline)
	tx := s.write().Update(s.freeLive(item.ID).
		Set("due", due).Set("interval", interval).
		If("sid = ? AND attempts = ? AND lease = ? AND due = ?", item.SubmissionID, item.Attempts, item.Lease, item.Due))
	if item.Lease != 0 {
		tx.Update(s.updateRow(sub, now).Set("status", contract.Queued))
	}
	err := tx.Run(ctx)
	return err == nil, ignoreLost(err)
}
