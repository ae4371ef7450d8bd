package submission_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// crowd holds the first writes of a sweep until so many are made at a time.
type crowd struct {
	size int

	mu      sync.Mutex
	waiting int
	open    chan struct{}
}

func newCrowd(size int) *crowd { return &crowd{size: size, open: make(chan struct{})} }

func (c *crowd) hook(ctx context.Context, call cloud.Call, send func() error) error {
	if call.Operation != "UpdateItem" {
		return send()
	}
	c.mu.Lock()
	c.waiting++
	if c.waiting == c.size {
		close(c.open)
	}
	c.mu.Unlock()
	select {
	case <-c.open:
		return send()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestManyParkedItemsAreWokenAtATime fails unless a sweep checks 64 items at a time, each in one write, and reads and sends pages of about a
// hundred. With calls of 10 ms that wakes more than the 80,000 items a minute that an outage at the target rate needs (docs/capacity.md).
func TestManyParkedItemsAreWokenAtATime(t *testing.T) {
	t.Parallel()
	const items, least = 1_600, 64
	c := newCrowd(least)
	d := newTestStore(t, c.hook)
	for n := range items / 100 {
		d.acceptNew(100, fmt.Sprint("batch", n), start)
	}
	d.calls.Reset()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // guards against hanging
	defer cancel()
	pages := 0
	var mu sync.Mutex
	sweep := d.NewSweep(start.Add(settings.Resend), func(_ context.Context, wakeUps []cloud.Message) error {
		mu.Lock()
		defer mu.Unlock()
		pages++
		return nil
	})
	for left := true; left; {
		var err error
		left, err = sweep.CheckInFlight(ctx, func() bool { return true })
		must(t, err)
	}
	if got := sweep.Swept(); got != (submission.Swept{Resent: items}) {
		t.Errorf("got %+v, want all %d sent", got, items)
	}
	calls := len(d.calls.Reset())
	if most := items + 3*32; calls > most || pages > 32 {
		t.Errorf("made %d calls and sent %d pages, want at most %d and 32", calls, pages, most)
	}
	if submission.SweptAtATime != least {
		t.Errorf("%d items at a time, want %d", submission.SweptAtATime, least)
	}
	// In a run of 50 seconds, all other parts of which have nothing to do.
	const call = 10 * time.Millisecond
	page := 2*call + 7*call + 2*call // the query and the read, the writes, the messages
	if perRun := int(50*time.Second/page) * 4 * 100; perRun < 80_000 {
		t.Errorf("a run wakes %d items by calculation, want 80,000", perRun)
	}
}
