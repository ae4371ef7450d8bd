package lambda

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// shortPoll is how long a call waits for further messages while received ones wait for their turn.
const shortPoll = time.Second

// aheadHidden is how long a message that was received ahead may wait for its turn. After
// that the queue delivers it again.
const aheadHidden = 15 * time.Minute

// receiver receives messages ahead and hands them over in fair order. A message that waits
// is hidden from other receivers, and its visibility time-out begins at its turn.
type receiver struct {
	poller *Poller
	mu     sync.Mutex
	order  fairOrder[receivedMessage]
	// changed is signalled when messages are added or removed and when the poller stops.
	changed *sync.Cond
}

type receivedMessage struct {
	types.Message
	at time.Time
}

func newReceiver(p *Poller) *receiver {
	r := &receiver{poller: p, order: fairOrder[receivedMessage]{perBacklog: p.PerBacklog}}
	r.changed = sync.NewCond(&r.mu)
	return r
}

// receiveAhead receives messages until ctx ends, and then returns the waiting ones to the queue.
func (r *receiver) receiveAhead(ctx context.Context) {
	for r.lockWhen(ctx, func() bool { return r.order.waiting+maxReceive <= r.poller.Ahead }) {
		receiving := ctx
		poll := longPoll
		if r.order.waiting > 0 { // an abandoned poll could receive what is returned to the queue
			receiving = context.WithoutCancel(ctx)
			poll = shortPoll
		}
		r.mu.Unlock()
		messages := r.poller.receiveMessages(receiving, maxReceive, poll, aheadHidden)
		r.change(func() {
			for _, m := range messages {
				r.order.add(groupOf(m), receivedMessage{m, time.Now()})
			}
		})
	}
	r.giveBack(context.WithoutCancel(ctx))
}

// change changes the order and lets those look at it who wait for a condition.
func (r *receiver) change(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
	r.changed.Broadcast()
}

// lockWhen locks the receiver once the condition holds. It reports false, without the lock, if
// ctx ends first.
func (r *receiver) lockWhen(ctx context.Context, condition func() bool) bool {
	wake := func() { r.change(func() {}) } // the wait below sees the end of ctx then
	stop := context.AfterFunc(ctx, wake)
	defer stop()
	r.mu.Lock()
	for ctx.Err() == nil && !condition() {
		r.changed.Wait()
	}
	if ctx.Err() != nil {
		r.mu.Unlock()
		return false
	}
	return true
}

// nextBatch waits for messages and returns the next ones in fair order; none if ctx ends first.
func (r *receiver) nextBatch(ctx context.Context) (batch []types.Message) {
	if !r.lockWhen(ctx, func() bool { return r.order.nextGroup() != nil }) {
		return nil
	}
	defer r.mu.Unlock()
	for len(batch) < r.poller.BatchSize {
		m, ok := r.order.next()
		if !ok {
			break
		}
		if time.Since(m.at) >= aheadHidden { // the queue delivers it again
			r.order.finish(groupOf(m.Message))
			continue
		}
		batch = append(batch, m.Message)
	}
	r.changed.Broadcast()
	return batch
}

// processBatch processes the messages of a batch that are still hidden.
func (r *receiver) processBatch(ctx context.Context, batch []types.Message) {
	if hidden := r.poller.changeVisibility(ctx, batch, r.poller.Visibility); len(hidden) > 0 {
		r.poller.processBatch(ctx, hidden)
	}
	r.change(func() {
		for _, m := range batch {
			r.order.finish(groupOf(m))
		}
	})
}

// giveBack returns the waiting messages to the queue, visible to other receivers.
func (r *receiver) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, deleteLimit)
	defer cancel()
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []types.Message
	r.order.perBacklog = 0
	for m, ok := r.order.next(); ok; m, ok = r.order.next() {
		all = append(all, m.Message)
	}
	for part := range slices.Chunk(all, maxReceive) {
		r.poller.changeVisibility(ctx, part, 0)
	}
}

// fairOrder holds the waiting messages and decides which one is next: one of the group with the
// fewest messages in flight, and of several such groups the one that was served, or arrived,
// longest ago. Within a group the order is that of arrival. So a group with many messages takes
// only the workers that the others leave free, and no group waits for ever.
//
// It is not safe for concurrent use.
type fairOrder[M any] struct {
	groups map[string]*messageGroup[M]
	// perBacklog is the maximum number of messages in flight of a group with a backlog; 0
	// means no bound.
	perBacklog int
	// waiting counts the messages that wait in all groups.
	waiting int
	// ticks is a logical clock for lastServed.
	ticks int
}

// messageGroup is a group that has messages waiting or in flight.
type messageGroup[M any] struct {
	waiting    []M
	inFlight   int
	lastServed int
}

func (f *fairOrder[M]) add(name string, m M) {
	group := f.groups[name]
	if group == nil {
		if f.groups == nil {
			f.groups = map[string]*messageGroup[M]{}
		}
		f.ticks++
		group = &messageGroup[M]{lastServed: f.ticks}
		f.groups[name] = group
	}
	group.waiting = append(group.waiting, m)
	f.waiting++
}

// next removes the next message and counts it as in flight. It reports false if none may run.
func (f *fairOrder[M]) next() (m M, ok bool) {
	first := f.nextGroup()
	if first == nil {
		return m, false
	}
	m = first.waiting[0]
	first.waiting = first.waiting[1:]
	first.inFlight++
	f.waiting--
	return m, true
}

// backlog is how many messages of a group may wait before they count as a backlog.
const backlog = 50

func (f *fairOrder[M]) nextGroup() (first *messageGroup[M]) {
	for _, group := range f.groups {
		bound := f.perBacklog > 0 && len(group.waiting) > backlog && group.inFlight >= f.perBacklog
		mayBegin := len(group.waiting) > 0 && !bound
		if mayBegin && (first == nil || group.precedes(first)) {
			first = group
		}
	}
	return first
}

func (g *messageGroup[M]) precedes(other *messageGroup[M]) bool {
	return cmp.Or(cmp.Compare(g.inFlight, other.inFlight), cmp.Compare(g.lastServed, other.lastServed)) < 0
}

// finish records that a message of the group is no longer in flight.
func (f *fairOrder[M]) finish(name string) {
	group := f.groups[name]
	f.ticks++
	group.inFlight--
	group.lastServed = f.ticks
	if group.inFlight == 0 && len(group.waiting) == 0 {
		delete(f.groups, name)
	}
}
