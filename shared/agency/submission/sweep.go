package submission

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Sweep looks at every live item that is due and hands the hints to send to each: for
// an item that no worker claimed, and one whose worker's lease is over. Items past
// their deadline or out of attempts are ended on the way, and files that nothing needs
// any more are removed. Each item moves its
// own next look first, so a hint that is lost is sent again.
//
// each is called with up to 100 hints of one shard at a time, concurrently for
// different shards; when it fails, the rest of the shard waits for the next sweep.
// Sweeps at the same time hand out each hint once.
func (s *Store) Sweep(ctx context.Context, now time.Time, each func(ctx context.Context, hints []cloud.Message) error) (Swept, error) {
	results := make([]Swept, shards)
	var group errgroup.Group
	group.SetLimit(4)
	for n := range shards {
		group.Go(func() error {
			var err error
			results[n], err = s.sweepShard(ctx, shardName(n), now, each)
			return err
		})
	}
	err := errors.Join(group.Wait(), s.sweepDisposals(ctx, now))
	var total Swept
	for _, r := range results {
		total.Ended += r.Ended
		total.Resent += r.Resent
	}
	return total, err
}

// Swept counts the items that a sweep ended and those whose hints each took.
type Swept struct{ Ended, Resent int }

// sweepPage bounds one read of the index; a sweep goes on until the shard is done.
const sweepPage = 100

func (s *Store) sweepShard(ctx context.Context, shard string, now time.Time, each func(context.Context, []cloud.Message) error) (swept Swept, failed error) {
	index := topology.DueIndex
	query := s.table.Get(index.Hash, shard).Index(index.Name).
		Range(index.Range, dynamo.LessOrEqual, now.UnixMilli())
	var from dynamo.PagingKey
	for {
		var found []liveItem
		next, err := query.StartFrom(from).SearchLimit(sweepPage).AllWithLastEvaluatedKey(ctx, &found)
		if err != nil {
			return swept, errors.Join(failed, err)
		}
		hints, ended, err := s.checkPage(ctx, found, now)
		swept.Ended += ended
		failed = errors.Join(failed, err)
		if len(hints) > 0 {
			if err := each(ctx, hints); err != nil {
				return swept, errors.Join(failed, err)
			}
			swept.Resent += len(hints)
		}
		if len(next) == 0 {
			return swept, failed
		}
		from = next
	}
}

// checkPage checks the items of one page; the error of one does not stop the others.
func (s *Store) checkPage(ctx context.Context, found []liveItem, now time.Time) (hints []cloud.Message, ended int, failed error) {
	for _, entry := range found {
		send, over, err := s.checkLive(ctx, entry.ID, now)
		switch {
		case err != nil:
			failed = errors.Join(failed, err)
		case over:
			ended++
		case send != nil:
			hints = append(hints, *send)
		}
	}
	return hints, ended, failed
}

// checkLive reads the item itself, because an index may be stale, and ends or postpones it.
func (s *Store) checkLive(ctx context.Context, id string, now time.Time) (send *cloud.Message, ended bool, err error) {
	var item liveItem
	err = s.table.Get(topology.PK, id).Range(topology.SK, dynamo.Equal, liveKind).Consistent(true).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) || err == nil && item.Due > now.UnixMilli() {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if ended, err = s.endIfDue(ctx, item, now); ended || err != nil {
		return nil, ended, err
	}
	sub, err := item.decodeSubmission()
	if err != nil {
		return nil, false, err
	}
	if moved, err := s.postponeLive(ctx, item, sub, now); err != nil || !moved {
		return nil, false, err
	}
	return new(sub.toHint()), false, nil
}

// maxResend bounds the doubled wait before a hint, in first waits.
const maxResend = 4

// postponeLive sets the next look, twice as far away up to a limit, and queues again an item whose
// lease is over. It reports false when the item changed meanwhile.
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
