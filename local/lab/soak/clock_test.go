package soak

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// virtualClock is the clock of a simulation, which moves it when all workers wait for it.
type virtualClock struct {
	mu      sync.Mutex
	at      time.Time
	waiting map[*waiter]bool
}

type waiter struct {
	until time.Time
	over  chan struct{}
}

func newVirtualClock(at time.Time) *virtualClock {
	return &virtualClock{at: at, waiting: map[*waiter]bool{}}
}

// Now returns the clock's time.
func (c *virtualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Wait returns once the clock has moved by the pause, or ctx's error if ctx ends first.
func (c *virtualClock) Wait(ctx context.Context, pause time.Duration) error {
	c.mu.Lock()
	w := &waiter{c.at.Add(pause), make(chan struct{})}
	c.waiting[w] = true
	c.mu.Unlock()
	select {
	case <-w.over:
		return nil
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, w)
		return ctx.Err()
	}
}

// countWaiting returns the number of callers in Wait.
func (c *virtualClock) countWaiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

// Move moves the clock and wakes the callers of Wait when their pause is over.
func (c *virtualClock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	for w := range c.waiting {
		if !w.until.After(c.at) {
			close(w.over)
			delete(c.waiting, w)
		}
	}
}

// step is how far the virtual clock moves at a time.
const step = 500 * time.Millisecond

// passMinute lets a minute of the virtual clock pass, in steps while there is work.
func (s *outage) passMinute(ctx context.Context) error {
	for left := time.Minute; left > 0; {
		idle, err := s.waitForWorkers(ctx)
		if err != nil {
			return err
		}
		move := step
		if idle {
			move = left
		}
		s.clock.Move(move)
		left -= move
	}
	return nil
}

// waitForWorkers returns when no message is left or every worker with a message waits for the
// clock. It reports whether no message is left.
func (s *outage) waitForWorkers(ctx context.Context) (idle bool, err error) {
	for {
		waiting := s.clock.countWaiting()
		if waiting == s.workers {
			return false, nil
		}
		pending, err := s.countPending(ctx)
		if err != nil {
			return false, err
		}
		if pending == waiting && waiting == s.clock.countWaiting() {
			return pending == 0, nil
		}
		for range max(1, min(pending-waiting, 50)) { // with more messages waiting, the queue is asked less often
			if s.clock.countWaiting() == s.workers {
				return false, nil
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// countPending returns how many messages the queue has, those in flight included.
func (s *outage) countPending(ctx context.Context) (pending int, err error) {
	names := []types.QueueAttributeName{
		types.QueueAttributeNameApproximateNumberOfMessages, types.QueueAttributeNameApproximateNumberOfMessagesNotVisible,
	}
	out, err := s.queues.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: new(s.system.Environment[topology.IngestQueue.Env]), AttributeNames: names,
	})
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		n, err := strconv.Atoi(out.Attributes[string(name)])
		if err != nil {
			return 0, err
		}
		pending += n
	}
	return pending, nil
}
