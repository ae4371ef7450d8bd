package submission

import (
	"context"
	"errors"
	"slices"
	"sync"
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
	// send takes the wake-up messages of one page, concurrently for different shards.
	send            func(ctx context.Context, wakeUps []cloud.Message) error
	live, disposals *cloud.DueWalk
	ended, resent   atomic.Int64
	// sendFailed is set when wake-up messages could not be sent.
	sendFailed atomic.Bool
	// left reports whether the last turn left items that are due.
	left bool

	mu sync.Mutex
	// earliest is the first deadline of the parked items that were read, in milliseconds; 0 without one.
	earliest int64
}

// The writes of 4 x 16 items at a time are as many as the transport keeps connections for. With calls of
// 10 ms, a page takes a query, a read, 7 rounds of writes and one of messages: 200,000 items would take
// the 50 seconds of a run.
const (
	inFlightPage     = 100 // items, which one call reads
	inFlightParallel = 4   // pages at a time
	itemParallel     = 16  // items of a page at a time
)

// NewSweep begins a sweep that sends wake-up messages with send.
func (s *Store) NewSweep(now time.Time, send func(ctx context.Context, wakeUps []cloud.Message) error) *Sweep {
	return &Sweep{
		store: s, now: now, send: send,
		live:      cloud.DueQuery{Table: s.table, Shards: shards.Names(), Now: now, Page: inFlightPage, Parallel: inFlightParallel}.Begin(),
		disposals: cloud.DueQuery{Table: s.table, Shards: []string{disposalShard}, Now: now, Page: disposalPage, Parallel: 1}.Begin(),
	}
}

// Swept counts the items that the sweep ended and the wake-up messages it sent.
func (w *Sweep) Swept() Swept { return Swept{int(w.ended.Load()), int(w.resent.Load())} }

// Swept are the counts of a sweep.
type Swept struct{ Ended, Resent int }

// CheckInFlight checks the next in-flight items that are due: it ends those past their deadline or out
// of attempts, and sends the wake-up messages of those without a worker, or with one past its lease.
// Before its wake-up message is sent, each item's next check is stored, so that a lost wake-up message is sent
// again and concurrent sweeps send each wake-up message once. left reports whether another turn is needed.
//
// When wake-up messages cannot be sent, the rest of the sweep only ends items, and the others stay due.
func (w *Sweep) CheckInFlight(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "submission.CheckInFlight")

	w.left, err = w.live.Turn(ctx, more, w.checkPage)
	return w.left, err
}

// Backlog returns what the sweep leaves of the items that are parked after its last turn: the number of all in-flight items,
// as one of their shards has them, and the first deadline of the parked items that it has read, which are those that
// were due longest. items is 0 if it leaves nothing, or has read no item that is parked.
func (w *Sweep) Backlog(ctx context.Context) (items int, deadline time.Time, err error) {
	defer fault.Wrap(&err, "submission.Backlog")

	if !w.left || w.earliest == 0 {
		return 0, deadline, nil
	}
	names := shards.Names()
	name := names[int(w.now.Unix()/60)%len(names)]
	items, err = w.store.table.Get(topology.DueIndex.Hash, name).Index(topology.DueIndex.Name).Count(ctx)
	return items * len(names), time.UnixMilli(w.earliest), err
}

// checkPage checks the items of one page; the error of one does not stop the others.
func (w *Sweep) checkPage(ctx context.Context, page []cloud.DueKey) error {
	items, err := w.store.readInFlightItems(ctx, page)
	if err != nil {
		return err
	}
	found := make([]cloud.Message, len(items))
	err = cloud.ForEach(itemParallel, items, func(n int, item inFlightItem) (err error) {
		found[n], err = w.checkInFlight(ctx, item)
		return err
	})
	wakeUps := slices.DeleteFunc(found, func(m cloud.Message) bool { return m.Body == "" })
	if len(wakeUps) == 0 {
		return err
	}
	sendErr := w.send(ctx, wakeUps)
	if sendErr != nil {
		w.sendFailed.Store(true)
	} else {
		w.resent.Add(int64(len(wakeUps)))
	}
	return errors.Join(err, sendErr)
}

// maxResend bounds the doubled wait before a wake-up message, as a multiple of the first wait.
const maxResend = 4

// checkInFlight ends an item that is due, or stores its next check, after twice the wait up to a limit, queues it again if its
// lease is over, and returns its wake-up message; a zero one if there is none.
func (w *Sweep) checkInFlight(ctx context.Context, item inFlightItem) (wakeUp cloud.Message, err error) {
	if item.Due > w.now.UnixMilli() {
		return wakeUp, nil
	}
	ended, err := w.store.endIfDue(ctx, item, w.now)
	if ended && err == nil {
		w.ended.Add(1)
	}
	if ended || err != nil || w.sendFailed.Load() {
		return wakeUp, err
	}
	w.mu.Lock()
	if item.Parks > 0 && (w.earliest == 0 || item.Deadline < w.earliest) { // the deadline of the first parked item
		w.earliest = item.Deadline
	}
	w.mu.Unlock()
	sub, err := item.decodeSubmission()
	if err != nil {
		return wakeUp, err
	}
	interval := min(2*item.Interval, maxResend*w.store.settings.Resend.Milliseconds())
	due := min(w.now.UnixMilli()+interval, item.Deadline)
	live := w.store.freeInFlight(item.ID).
		Set("due", due).Set("interval", interval).
		If("sid = ? AND attempts = ? AND lease = ? AND due = ?", item.SubmissionID, item.Attempts, item.Lease, item.Due)
	if item.Lease == 0 { // the row is queued already, and this has half the cost of a transaction
		err = live.Run(ctx)
	} else {
		err = w.store.write().Update(live).Update(w.store.updateRow(sub, w.now).Set("status", contract.Queued)).Run(ctx)
	}
	if err == nil {
		wakeUp = sub.toWakeUp()
	}
	return wakeUp, cloud.IgnoreCondition(err)
}

// disposalPage is how many disposals a turn processes, one after the other.
const disposalPage = 100

// RemoveFiles removes the files of the next disposals that are due. left reports whether another turn is needed.
func (w *Sweep) RemoveFiles(ctx context.Context, more func() bool) (left bool, err error) {
	defer fault.Wrap(&err, "submission.RemoveFiles")

	if w.store.Discard == nil {
		return false, nil
	}
	return w.disposals.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) (failed error) {
		for _, key := range page {
			failed = errors.Join(failed, w.store.dispose(ctx, key.PK))
		}
		return failed
	})
}

// dispose reads the disposal, because the index knows only its key.
func (s *Store) dispose(ctx context.Context, id string) error {
	var item disposalItem
	found, err := cloud.GetItem(ctx, s.table, id, disposalKind, &item)
	if !found {
		return err
	}
	for _, key := range item.Keys {
		err = errors.Join(err, s.Discard(ctx, key))
	}
	if err != nil {
		return err
	}
	return s.table.Delete(topology.PK, id).Range(topology.SK, disposalKind).Run(ctx)
}

// readLiveItems reads the items themselves, consistently, because an index may be stale.
func (s *Store) readInFlightItems(ctx context.Context, page []cloud.DueKey) ([]inFlightItem, error) {
	keys := make([]dynamo.Keyed, len(page))
	for n, key := range page {
		keys[n] = dynamo.Keys{key.PK, inFlightKind}
	}
	return cloud.GetItems[inFlightItem](ctx, s.table, keys, true)
}
