package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const key = "order 66"

var (
	start   = time.Date(2026, 3, 1, 9, 0, 0, 123e6, time.UTC)
	request = idempotency.NewRequest(tenant.Admit("agy_1"), key, "f")
	// corrected is another request with the same key.
	corrected = idempotency.NewRequest(tenant.Admit("agy_1"), key, "g")
	errCut    = errors.New("the connection was cut")
)

var ctx = context.Background()

func TestAnAnswerIsReplayedForADay(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	first := d.mustBegin("first", start, "first", "")
	if !first.Started.Equal(start) {
		t.Errorf("started %v, want %v", first.Started, start)
	}
	d.mustRefuse("second", start.Add(idempotency.Lease-time.Millisecond), contract.IdempotencyInProgress)
	must(t, d.Complete(ctx, first, []byte("answer\x00\xff")))
	for _, later := range []time.Duration{0, time.Hour, idempotency.ReplayPeriod - time.Second} {
		got := d.mustBegin("retry", start.Add(later), "first", "answer\x00\xff")
		if !got.Started.Equal(start) {
			t.Errorf("after %v: started %v, want %v", later, got.Started, start)
		}
	}
	// DynamoDB removes an item some time after its TTL: until then it is here.
	fresh := d.mustBegin("tomorrow", start.Add(idempotency.ReplayPeriod), "tomorrow", "")
	if !fresh.Started.Equal(start.Add(idempotency.ReplayPeriod)) {
		t.Errorf("the new attempt started %v", fresh.Started)
	}
	must(t, d.Complete(ctx, first, []byte("yesterday's"))) // too late
	must(t, d.Complete(ctx, fresh, []byte("today's")))
	d.mustBegin("retry", start.Add(idempotency.ReplayPeriod), "tomorrow", "today's")
}

// TestADayDoesNotEndEarly begins within a second, which is what times to live are counted in.
func TestADayDoesNotEndEarly(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	begun := start.Truncate(time.Second).Add(900 * time.Millisecond)
	must(t, d.Complete(ctx, d.mustBegin("first", begun, "first", ""), []byte("answer")))
	d.mustBegin("retry", begun.Add(idempotency.ReplayPeriod-time.Millisecond), "first", "answer")
	d.mustBegin("tomorrow", begun.Add(idempotency.ReplayPeriod+time.Second), "tomorrow", "")
}

func TestAKeyIsBoundToItsRequest(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	first := d.mustBegin("first", start, "first", "")
	for _, at := range []time.Time{start, start.Add(time.Hour)} { // held, and left
		_, err := d.Begin(ctx, corrected, "r", "n", at)
		wantConflict(t, err, contract.IdempotencyKeyReused)
	}
	must(t, d.Complete(ctx, first, []byte("answer")))
	_, err := d.Begin(ctx, corrected, "r", "n", start)
	wantConflict(t, err, contract.IdempotencyKeyReused)
	a, err := d.Begin(ctx, corrected, "r", "n", start.Add(idempotency.ReplayPeriod))
	if err != nil || a.Ref != "r" {
		t.Errorf("after a day: got %+v, %v; want the key free", a, err)
	}
}

func TestKeysAreTheirAgencysOwn(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for n, r := range []idempotency.Request{
		request,
		idempotency.NewRequest(tenant.Admit("agy_2"), key, "f"),
		idempotency.NewRequest(tenant.Admit("agy_1"), "order 67", "f"),
		idempotency.NewRequest(tenant.Admit("agy_1"), "ORDER 66", "f"),
	} {
		ref := fmt.Sprint("ref ", n)
		if a, err := d.Begin(ctx, r, ref, ref, start); err != nil || a.Ref != ref {
			t.Errorf("%+v: got %+v, %v; want an attempt of its own", r, a, err)
		}
	}
}

func TestARequestWithoutAKeyStoresNothing(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for range 2 {
		a, err := d.Begin(ctx, idempotency.NewRequest(tenant.Admit("agy_1"), "", "f"), "ref", "n", start.Add(time.Microsecond))
		want := idempotency.Attempt{Tenant: "agy_1", Ref: "ref", Started: start}
		if diff := cmp.Diff(want, a, cmpopts.IgnoreUnexported(idempotency.Attempt{})); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		must(t, d.Complete(ctx, a, []byte("answer")))
		must(t, d.Abandon(ctx, a))
		must(t, d.Release(ctx, a))
	}
	if got := d.calls.Reset(); len(got) != 0 {
		t.Errorf("it made the calls %v", got)
	}
}

func TestAnAttemptIsTakenOverAfterItsLease(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	dead := d.mustBegin("dead", start, "dead", "")
	at := start.Add(idempotency.Lease)
	heir := d.mustBegin("heir", at, "dead", "")
	if !heir.Started.Equal(start) {
		t.Errorf("started %v, want the first attempt's %v", heir.Started, start)
	}
	d.mustRefuse("third", at.Add(idempotency.Lease-time.Millisecond), contract.IdempotencyInProgress)

	// The attempt that was thought dead goes on; its writes change nothing.
	must(t, d.Complete(ctx, dead, []byte("late")))
	must(t, d.Abandon(ctx, dead))
	must(t, d.Release(ctx, dead))
	d.mustRefuse("third", at.Add(idempotency.Lease-time.Millisecond), contract.IdempotencyInProgress)

	must(t, d.Complete(ctx, heir, []byte("answer")))
	must(t, d.Complete(ctx, dead, []byte("late")))
	must(t, d.Abandon(ctx, dead))
	must(t, d.Release(ctx, dead))
	d.mustBegin("third", at, "dead", "answer")
}

// A conflict asks for a retry soon while the attempt may be running, and at the end of its
// lease once it must have died.
func TestAConflictSaysHowLongToWait(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustBegin("first", start, "first", "")
	for after, want := range map[time.Duration]time.Duration{
		0:                                  time.Second,
		topology.HTTPTimeout - time.Second: time.Second,
		topology.HTTPTimeout:               idempotency.Lease - topology.HTTPTimeout,
		idempotency.Lease - 1500*time.Millisecond: 1500 * time.Millisecond,
	} {
		_, err := d.Begin(ctx, request, "second", "second", start.Add(after))
		if f := fault.As(err); f.Kind != fault.Conflict || f.RetryAfter != want {
			t.Errorf("after %v: got %v, Retry-After %v; want %v", after, err, f.RetryAfter, want)
		}
	}
}

func TestAnAbandonedAttemptGoesOnAtOnce(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	first := d.mustBegin("first", start, "first", "")
	must(t, d.Abandon(ctx, first))
	must(t, d.Complete(ctx, first, []byte("late")))
	second := d.mustBegin("second", start, "first", "")
	must(t, d.Complete(ctx, second, []byte("answer")))
	must(t, d.Abandon(ctx, second)) // it did not learn that its answer was stored
	d.mustBegin("third", start, "first", "answer")
}

func TestAReleasedKeyIsFree(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string][]byte{"before its answer": nil, "after its answer": []byte("answer")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			first := d.mustBegin("first", start, "first", "")
			if answer != nil {
				must(t, d.Complete(ctx, first, answer))
			}
			must(t, d.Release(ctx, first))
			must(t, d.Release(ctx, first))
			if a, err := d.Begin(ctx, corrected, "ref", "n", start); err != nil || a.Ref != "ref" || a.Answer != nil {
				t.Errorf("got %+v, %v; want a new attempt", a, err)
			}
			must(t, d.Complete(ctx, first, []byte("late")))
			conflictOf(t, d, corrected)
		})
	}
}

func conflictOf(t *testing.T, d testStore, r idempotency.Request) {
	t.Helper()
	_, err := d.Begin(ctx, r, "other", "other", start)
	wantConflict(t, err, contract.IdempotencyInProgress)
}

func TestOneOfManyAttemptsGoesOn(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(d testStore){
		"a new key":           func(testStore) {},
		"an abandoned key":    func(d testStore) { must(d.t, d.Abandon(ctx, d.mustBegin("dead", start, "dead", ""))) },
		"a key of yesterday":  func(d testStore) { d.mustBegin("dead", start.Add(-idempotency.ReplayPeriod), "dead", "") },
		"a key left by a 500": func(d testStore) { d.mustBegin("dead", start.Add(-idempotency.Lease), "dead", "") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			prepare(d)
			var mu sync.Mutex
			var won []idempotency.Attempt
			var group sync.WaitGroup
			for n := range 20 {
				group.Go(func() {
					a, err := d.beginAs(fmt.Sprint(n), start)
					mu.Lock()
					defer mu.Unlock()
					var f *fault.Error
					switch {
					case err == nil:
						won = append(won, a)
					case !errors.As(err, &f) || f.Code != contract.IdempotencyInProgress:
						t.Error(err)
					}
				})
			}
			group.Wait()
			if len(won) != 1 {
				t.Fatalf("%d attempts go on, want 1", len(won))
			}
			must(t, d.Complete(ctx, won[0], []byte("answer")))
			if a, err := d.beginAs("retry", start); err != nil || string(a.Answer) != "answer" || a.Ref != won[0].Ref {
				t.Errorf("got %+v, %v; want the winner's answer", a, err)
			}
		})
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	first := d.mustBegin("first", start, "first", "")
	d.wantCalls("a fresh attempt", 1)
	d.mustBegin("heir", start.Add(idempotency.Lease), "first", "")
	d.wantCalls("a take-over", 2)
	must(t, d.Complete(ctx, first, []byte("late")))
	d.wantCalls("an answer", 1)
}
