package soak

import (
	"context"
	"sync"
	"time"
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
