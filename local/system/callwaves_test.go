package system_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// callWaves is a hook that lets calls happen so many at a time: a call waits until
// all calls of its wave have arrived. Calls that should be concurrent but are made one
// after the other never proceed.
type callWaves struct {
	mu sync.Mutex
	// expected are the sizes of the waves to come; none lets everything happen.
	expected []int
	arrived  int
	full     chan struct{}
}

func (w *callWaves) Hook(ctx context.Context, call cloud.Call, send func() error) error {
	if err := w.waitForWave(ctx); err != nil {
		return fmt.Errorf("%s waited for its wave: %w", call.Operation, err)
	}
	return send()
}

func (w *callWaves) expectSizes(sizes ...int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected, w.arrived, w.full = sizes, 0, make(chan struct{})
}

func (w *callWaves) waitForWave(ctx context.Context) error {
	w.mu.Lock()
	full := w.full
	switch w.arrived++; {
	case len(w.expected) == 0:
		w.mu.Unlock()
		return nil
	case w.arrived == w.expected[0]:
		close(full)
		w.expected, w.arrived, w.full = w.expected[1:], 0, make(chan struct{})
	}
	w.mu.Unlock()
	select {
	case <-full:
		return nil
	case <-ctx.Done(): // the request's time is over
		return ctx.Err()
	}
}

// missingWaves are the waves that did not come.
func (w *callWaves) missingWaves() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.expected)
}

// A bulk submit of 100 items without a recruiter's address takes six waves of calls, and
// so does one of 100 duplicates, none of them to the queue.
func TestBulkWaves(t *testing.T) {
	t.Parallel()
	w := &callWaves{}
	c := &countedSystem{calls: nil, faults: &faultInjector{}}
	c.manualSystem = newManualSystem(t, w.Hook)
	fresh := bulkSubmitRequest("fresh")(c)
	again := fresh
	again.idempotencyKey = "again"
	const gate, lookUps, owner, commits, anew, hints, answer = 1, 3, 1, 2, 2, 10, 1
	for _, turn := range []struct {
		name  string
		call  testRequest
		sizes []int
		want  string
	}{
		{"fresh", fresh, []int{gate, lookUps, owner, commits, hints, answer}, "queued"},
		{"duplicates", again, []int{gate, lookUps, owner, commits, anew, answer}, "deduplicated"},
	} {
		w.expectSizes(turn.sizes...)
		r := c.sendTestRequest(turn.call)
		if r.status != 200 || strings.Count(r.body, `"`+turn.want+`"`) != 100 || len(w.missingWaves()) > 0 {
			t.Errorf("%s: got %d %.300s with the waves %v to come", turn.name, r.status, r.body, w.missingWaves())
		}
	}
	if sent := len(c.takeMessages()); sent != 100 {
		t.Errorf("%d hints were sent; want 100", sent)
	}
}
