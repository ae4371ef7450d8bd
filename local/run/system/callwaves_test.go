package system_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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
	w.expected = sizes
	w.arrived = 0
	w.full = make(chan struct{})
}

func (w *callWaves) waitForWave(ctx context.Context) error {
	w.mu.Lock()
	full := w.full
	w.arrived++
	switch {
	case len(w.expected) == 0:
		w.mu.Unlock()
		return nil
	case w.arrived == w.expected[0]:
		close(full)
		w.expected = w.expected[1:]
		w.arrived = 0
		w.full = make(chan struct{})
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

// A submit without a recruiter's address takes four waves of calls. Storing the response for an
// Idempotency-Key takes one more wave, and so does storing the file of a single submit. Duplicates
// take no more, and none of their calls goes to the queue. Once the function has seen the API key pass,
// as it has that of the second and third request, it reads beside the check of the key.
func TestSubmitWaves(t *testing.T) {
	t.Parallel()
	w := &callWaves{}
	c := &countedSystem{calls: nil, faults: &faultInjector{}}
	c.manualSystem = newManualSystem(t, w.Hook)
	bulk := bulkSubmitRequest("fresh")(c)
	again := bulk
	unkeyed := bulk
	again.idempotencyKey = "again"
	unkeyed.idempotencyKey = ""
	single := submitRequest("")(c)
	keyed := submitRequest("single")(c)
	const gate, claim, account, uploads, file, commit, wakeUp, answer = 1, 1, 1, 1, 1, 1, 1, 1
	for _, turn := range []struct {
		name    string
		call    testRequest
		sizes   []int
		status  string
		wakeUps int
	}{
		{"a bulk", bulk, []int{gate, claim + account + uploads, 2 * commit, 10 * wakeUp, answer}, "queued", 100},
		{"a bulk of duplicates", again, []int{gate + account + uploads, claim, 2 * commit, 2 * commit, answer}, "deduplicated", 0},
		{"the same without a key", unkeyed, []int{gate + account + uploads, 2 * commit, 2 * commit}, "deduplicated", 0},
		{"a single one without a key", single, []int{gate, account, file, commit, wakeUp}, `"deduplicated":false`, 1},
		{"a single duplicate", keyed, []int{gate, claim + account, file, commit, commit, answer}, `"deduplicated":true`, 0},
	} {
		w.expectSizes(turn.sizes...)
		r := c.sendTestRequest(turn.call)
		if r.status != 200 || !strings.Contains(r.body, turn.status) || len(w.missingWaves()) > 0 {
			t.Errorf("%s: got %d %.300s with the waves %v to come", turn.name, r.status, r.body, w.missingWaves())
		}
		if sent := len(c.takeMessages()); sent != turn.wakeUps {
			t.Errorf("%s: %d wake-up messages were sent; want %d", turn.name, sent, turn.wakeUps)
		}
	}
}

// Once a function has seen a key pass, reads begin beside the check of the key: they take two waves of
// calls at most.
func TestReadWaves(t *testing.T) {
	t.Parallel()
	const check = 1
	for _, read := range []struct {
		name    string
		prepare func(*countedSystem) testRequest
		sizes   []int
	}{
		{"identity", getRequest("/identity"), []int{check + 1}},
		{"a batch", (*countedSystem).getBatchRequest, []int{check + 1}},
		{"preferences", (*countedSystem).getPreferencesRequest, []int{check + 1, 1}},
		{"candidates", getRequest("/talent-network/candidates"), []int{check + 1}},
		{"a role", getRoleAs("/recruiter/roles/", demo.OwnerID), []int{check + 2, 3}},
		{"roles", getAsDemoOwner("/recruiter/roles"), []int{check + 2, 1}},
		{"an agency's role", getRoleAs("/agency/roles/", ""), []int{check + 2, 1}},
		{"a CRM candidate", getAsSeededRecruiter("/recruiter/candidates/" + seededCandidate), []int{check + 1, 1}},
		{"a call", getAsSeededRecruiter("/recruiter/notetaker-calls/" + seededCall), []int{check + 1, 2}},
	} {
		t.Run(read.name, func(t *testing.T) {
			t.Parallel()
			w := &callWaves{}
			c := &countedSystem{faults: &faultInjector{}}
			c.manualSystem = newManualSystemWith(t, map[string]string{topology.SettingCatalogueAge: ""}, w.Hook)
			request := read.prepare(c)
			if r := c.sendTestRequest(request); r.status != 200 {
				t.Fatalf("got %d %s", r.status, r.body)
			}
			w.expectSizes(read.sizes...)
			if r := c.sendTestRequest(request); r.status != 200 || len(w.missingWaves()) > 0 {
				t.Errorf("got %d %.300s with the waves %v to come", r.status, r.body, w.missingWaves())
			}
		})
	}
}
