package lambda

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// shortPoll is how long a call waits for further messages while received ones wait for their turn.
const shortPoll = time.Second

// aheadHidden is how long a message that was received ahead may wait for its turn. After
// that the queue delivers it again.
const aheadHidden = 15 * time.Minute

// runAhead is [Poller.Run] with Ahead: it receives messages ahead and processes them in fair order. A message that waits is hidden
// from other receivers, and its visibility time-out begins at its turn. The calls in flight when ctx ends may continue until work does.
func (p *Poller) runAhead(ctx, work context.Context) {
	order := fairOrder[types.Message]{perBacklog: p.PerBacklog}
	add := func(messages []types.Message) {
		for _, m := range messages {
			order.add(groupOf(m), m)
		}
	}
	var received chan []types.Message // nil while no call receives
	done := make(chan []types.Message)
	running := 0
	for ctx.Err() == nil {
		for running < p.Concurrency {
			var batch []types.Message
			for len(batch) < p.BatchSize {
				m, ok := order.next()
				if !ok {
					break
				}
				batch = append(batch, m)
			}
			if len(batch) == 0 {
				break
			}
			running++
			go func() {
				// The queue refuses the handle of a message that has waited longer than it is hidden.
				if hidden := p.changeVisibility(work, batch, p.Visibility); len(hidden) > 0 {
					p.processBatch(work, hidden)
				}
				done <- batch
			}()
		}
		if received == nil && order.waiting+maxReceive <= p.Ahead {
			received = p.receiveAhead(ctx, order.waiting)
		}
		select {
		case messages := <-received:
			received = nil
			add(messages)
		case batch := <-done:
			running--
			for _, m := range batch {
				order.finish(groupOf(m))
			}
		case <-ctx.Done():
		}
	}
	if received != nil {
		add(<-received)
	}
	p.giveBack(context.WithoutCancel(ctx), order)
	for range running {
		<-done
	}
}

// receiveAhead returns a channel with the messages that one call to the queue receives; waiting is the number of those received before.
func (p *Poller) receiveAhead(ctx context.Context, waiting int) chan []types.Message {
	poll := longPoll
	if waiting > 0 { // an abandoned poll could receive what is returned to the queue
		ctx = context.WithoutCancel(ctx)
		poll = shortPoll
	}
	received := make(chan []types.Message, 1)
	go func() { received <- p.receiveMessages(ctx, maxReceive, poll, aheadHidden) }()
	return received
}

// giveBack returns the waiting messages to the queue, visible to other receivers.
func (p *Poller) giveBack(ctx context.Context, order fairOrder[types.Message]) {
	ctx, cancel := context.WithTimeout(ctx, deleteLimit)
	defer cancel()
	var all []types.Message
	for _, group := range order.groups {
		all = append(all, group.waiting...)
	}
	for part := range slices.Chunk(all, maxReceive) {
		p.changeVisibility(ctx, part, 0)
	}
}

// fairOrder holds the waiting messages and decides which one is next: one of the group with the
// fewest messages in flight, and of several such groups the one that was served, or arrived,
// longest ago. Within a group the order is that of arrival. So a group with many messages takes
// only the workers that the others leave free, and no group waits for ever.
//
// It is not safe for concurrent use.
type fairOrder[M any] struct {
	groups     map[string]*messageGroup[M] // that have messages waiting or in flight
	perBacklog int                         // [Poller.PerBacklog]
	waiting    int                         // messages of all groups
	ticks      int                         // a logical clock for lastServed
}

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

// backlog is how many messages of a group may wait before they count as a backlog.
const backlog = 50

// next removes the next message and counts it as in flight. It reports false if none may run.
func (f *fairOrder[M]) next() (m M, ok bool) {
	var first *messageGroup[M]
	for _, group := range f.groups {
		bound := f.perBacklog > 0 && len(group.waiting) > backlog && group.inFlight >= f.perBacklog
		if len(group.waiting) == 0 || bound {
			continue
		}
		if first == nil || cmp.Or(cmp.Compare(group.inFlight, first.inFlight), cmp.Compare(group.lastServed, first.lastServed)) < 0 {
			first = group
		}
	}
	if first == nil {
		return m, false
	}
	m = first.waiting[0]
	first.waiting = first.waiting[1:]
	first.inFlight++
	f.waiting--
	return m, true
}

func (f *fairOrder[M]) finish(name string) {
	group := f.groups[name]
	f.ticks++
	group.inFlight--
	group.lastServed = f.ticks
	if group.inFlight == 0 && len(group.waiting) == 0 {
		delete(f.groups, name)
	}
}
