package system_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A replay has the bytes of the first response; a request that differs in one byte is
// another request; and during the first attempt a second one has to wait.
func TestBulkIdempotencyKey(t *testing.T) {
	t.Parallel()
	hold := &holdingHook{reached: make(chan struct{}), release: make(chan struct{})}
	s := newManualSystem(t, hold.Hook)
	key := s.newAgencyKey()
	item := newAdaItem(s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID)
	item.ClientReferenceID = new("<é>")
	body := encodeBody(t, newBulkRequest(item, newBulkItem(1, "x")))
	submit := func(body []byte) reply { return s.sendRequest("POST", bulkPath, key, body, "Idempotency-Key", "a, b") }

	hold.armed.Store(true)
	first := make(chan reply)
	go func() { first <- submit(body) }()
	<-hold.reached
	if r := submit(body); r.status != 409 || r.errorCode() != contract.IdempotencyInProgress || r.header.Get("Retry-After") == "" {
		t.Errorf("meanwhile: got %d %s %v; want 409 idempotency_in_progress with Retry-After", r.status, r.body, r.header)
	}
	close(hold.release)
	answer := <-first
	if out := decodeBulkResponse(t, answer); !slices.Equal(itemStatuses(out), []string{"queued", "rejected"}) {
		t.Fatalf("got %s", answer.body)
	}
	replay := submit(body)
	if replay.status != 200 || replay.body != answer.body || replay.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the replay: got %d %s", replay.status, replay.body)
	}
	changed := []byte(strings.Replace(string(body), "Ada", "Adb", 1))
	if r := submit(changed); r.status != 409 || r.errorCode() != contract.IdempotencyKeyReused {
		t.Errorf("one byte changed: got %d %s; want 409 idempotency_key_reused", r.status, r.body)
	}
	s.advanceClock(idempotency.ReplayPeriod)
	key = s.newAgencyKey()
	if later := submit(body); later.status != 200 || later.body == answer.body {
		t.Errorf("after the window: got %d %s; want another batch", later.status, later.body)
	}
}

// holdingHook is a hook that, when armed, stops one transaction until it is released.
type holdingHook struct {
	armed            atomic.Bool
	reached, release chan struct{}
}

func (h *holdingHook) Hook(_ context.Context, call cloud.Call, send func() error) error {
	if call.Operation == "TransactWriteItems" && h.armed.CompareAndSwap(true, false) {
		close(h.reached)
		<-h.release
	}
	return send()
}

// crashingHook is a hook whose process dies at one of its calls: that call and all that
// follow fail, until it is restarted.
type crashingHook struct {
	mu sync.Mutex
	// left is how many calls are made before the death; negative: it does not come.
	left int
	// after means that the last call is executed and only its result is lost.
	after bool
	made  int
}

func (m *crashingHook) Hook(_ context.Context, _ cloud.Call, send func() error) error {
	m.mu.Lock()
	m.made++
	dead := m.left == 0
	dying := m.left == 1
	if m.left > 1 || dying {
		m.left--
	}
	m.mu.Unlock()
	switch {
	case dead:
		return errFinal
	case dying:
		if m.after {
			_ = send()
		}
		return errFinal
	}
	return send()
}

// restartUntil restarts the process, to die at its n-th call (0: never), and returns the
// number of calls so far.
func (m *crashingHook) restartUntil(n int, after bool) (made int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	made = m.made
	m.left = n
	m.after = after
	m.made = 0
	if n == 0 {
		m.left = -1
	}
	return made
}

// At whichever call an attempt dies, and whether or not its work is done meanwhile, its
// retry returns one batch, and no candidate is submitted twice.
func TestBulkKilledAtEveryCall(t *testing.T) {
	t.Parallel()
	for name, refusals := range map[string]int64{"the queue takes all": 0, "the queue refuses all": 1 << 40} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", call happens ", after), func(t *testing.T) {
				t.Parallel()
				k := newCrashTest(t, refusals)
				calls := k.submitAndCrash(0, after, false)
				for n := 1; n <= calls; n++ {
					k.submitAndCrash(n, after, n%2 == 0)
				}
			})
		}
	}
}

type crashTest struct {
	*manualSystem
	process *crashingHook
	queue   *refusing
	// key is the one of the agency that sends everything.
	key, upload string
	// turn numbers the requests; each has candidates of its own.
	turn int
}

func newCrashTest(t *testing.T, refusals int64) *crashTest {
	k := &crashTest{process: &crashingHook{left: -1}, queue: &refusing{count: refusals}}
	k.manualSystem = newManualSystem(t, k.process.Hook, k.queue.Hook)
	k.key = k.newAgencyKey()
	k.upload = k.manualSystem.uploadResume(k.key, readPriyaResume(t)).ResumeFileID
	return k
}

// submitAndCrash submits to a process that dies at its n-th call, then retries, and returns
// how many calls the first attempt made.
func (k *crashTest) submitAndCrash(n int, after, workMeanwhile bool) (calls int) {
	k.t.Helper()
	k.turn++
	name := fmt.Sprintf("killed at call %d", n)
	people := 100 * k.turn
	in := newBulkRequest(newPriyaItem(people, k.upload), newPriyaItem(people+1, k.upload), newPriyaItem(people, k.upload), newBulkItem(0, "x"), newPriyaItem(people+4, k.upload))
	body := encodeBody(k.t, in)
	before := k.storedBatchIDs()
	submit := func() reply { return k.sendRequest("POST", bulkPath, k.key, body, "Idempotency-Key", name) }

	k.process.restartUntil(n, after)
	dying := submit()
	calls = k.process.restartUntil(0, false)
	if dying.status != 200 && workMeanwhile {
		k.drainQueue()
	}
	k.advanceClock(idempotency.Lease)
	first := submit()
	out := decodeBulkResponse(k.t, first)
	if dying.status == 200 && dying.body != first.body {
		k.t.Errorf("%s: first answered %s, then %s", name, dying.body, first.body)
	}
	if replay := submit(); replay.body != first.body {
		k.t.Errorf("%s: the replay is %s; want %s", name, replay.body, first.body)
	}
	var made []string
	for _, id := range k.storedBatchIDs() {
		if !slices.Contains(before, id) {
			made = append(made, id)
		}
	}
	if diff := cmp.Diff([]string{out.BatchID}, made); diff != "" {
		k.t.Errorf("%s: batches (-answered +made):\n%s", name, diff)
	}
	k.checkConsistent(name, out)
	return calls
}

// drainQueue runs the workers and the sweeper, with a queue that accepts everything.
func (k *crashTest) drainQueue() {
	refusals := k.queue.count
	k.queue.count = 0
	k.runWorkers()
	k.queue.count = refusals
}

// checkConsistent checks that rows and response agree, and that accepted work is done
// once.
func (k *crashTest) checkConsistent(name string, out contract.BulkResponse) {
	k.t.Helper()
	k.drainQueue()
	batch := k.readBatch(demo.AgencyID, out.BatchID)
	if batch.ItemCount != 5 || len(batch.Items) != 4 {
		k.t.Fatalf("%s: got %d rows of %d items; want 4 of 5", name, len(batch.Items), batch.ItemCount)
	}
	for _, item := range batch.Items {
		answer := out.Items[item.Index]
		want := map[contract.BulkStatus]contract.ItemStatus{
			contract.BulkQueued: contract.Succeeded, contract.BulkDeduplicated: contract.Deduplicated, contract.BulkRejected: contract.Failed,
		}[answer.Status]
		if item.Status != want || item.SubmissionID != answer.SubmissionID {
			k.t.Errorf("%s: got the row %+v for %+v", name, item, answer)
		}
		if answer.Status != contract.BulkQueued {
			continue
		}
		if found := k.membershipIDs(fmt.Sprintf("ada-%d@example.com", 100*k.turn+item.Index)); len(found) != 1 {
			k.t.Errorf("%s: item %d has the memberships %v; want one", name, item.Index, found)
		}
	}
	if items := k.storedItems(topology.Submissions, "L#"); len(items) > 0 {
		k.t.Errorf("%s: left the in-flight items %v", name, items)
	}
}
