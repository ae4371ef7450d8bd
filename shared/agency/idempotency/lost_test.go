package idempotency_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// runStory is a life of a key through every write there is.
func runStory(d testStore) {
	t := d.t
	first := d.mustBegin("first", start, "first", "")
	must(t, d.Abandon(ctx, first))
	second := d.mustBegin("second", start, "first", "")
	d.mustRefuse("other", start, contract.IdempotencyInProgress)
	third := d.mustBegin("third", start.Add(idempotency.Lease), "first", "")
	must(t, d.Complete(ctx, second, []byte("late")))
	must(t, d.Complete(ctx, third, []byte("answer")))
	d.mustBegin("retry", start.Add(time.Hour), "first", "answer")
	must(t, d.Release(ctx, third))
	d.mustBegin("fresh", start, "fresh", "")
}

func TestEveryWriteMayLoseItsAnswerOrHappenTwice(t *testing.T) {
	t.Parallel()
	hooks := map[string]cloud.Hook{"all happens twice": func(_ context.Context, _ cloud.Call, send func() error) error {
		_ = send()
		return send()
	}}
	for operation, writes := range map[string]int{"PutItem": 6, "UpdateItem": 5, "DeleteItem": 1} {
		for n := range writes {
			hooks[operation+string(rune('1'+n))] = cloudtest.Lose(operation, n+1, cloudtest.Lost{})
		}
	}
	for name, hook := range hooks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t, hook)
			runStory(d)
			operations := map[string]int{}
			for _, call := range d.calls.Reset() {
				operations[call]++
			}
			if operations["DynamoDB.PutItem"] < 6 || operations["DynamoDB.UpdateItem"] < 5 || operations["DynamoDB.DeleteItem"] < 1 {
				t.Errorf("the story no longer makes all the writes that are lost here: %v", operations)
			}
		})
	}
}

// What is sent can arrive long after its sender gave up on it and tried again.
func TestAWriteThatArrivesLateChangesNothing(t *testing.T) {
	t.Parallel()
	var late []func() error
	d := newTestStore(t, func(_ context.Context, _ cloud.Call, send func() error) error {
		late = append(late, send)
		return send()
	})
	claim := 0
	take := 2
	store := 3
	d.mustBegin("first", start, "first", "")
	at := start.Add(idempotency.Lease)
	second := d.mustBegin("second", at, "first", "") // a claim that fails, and a take-over
	_ = late[claim]()
	_ = late[claim+1]()
	must(t, d.Complete(ctx, second, []byte("answer")))
	_ = late[claim]()
	_ = late[claim+1]()
	_ = late[take]()
	d.mustBegin("retry", at, "first", "answer")
	must(t, d.Abandon(ctx, second)) // the stored answer stays
	_ = late[store]()
	d.mustBegin("third", at, "first", "answer")
}

func TestAnAnswerThatComesDuringATakeOverStays(t *testing.T) {
	t.Parallel()
	var d testStore
	var first idempotency.Attempt
	var came atomic.Bool
	d = newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "UpdateItem" && !came.Swap(true) {
			must(t, d.Complete(ctx, first, []byte("answer")))
		}
		return send()
	})
	first = d.mustBegin("first", start, "first", "")
	d.mustRefuse("second", start.Add(idempotency.Lease), contract.IdempotencyInProgress)
	d.mustBegin("second", start.Add(idempotency.Lease), "first", "answer")
}

// An attempt that cannot know whether it holds the key is repeated by its own
// nonce, or by any attempt after the lease.
func TestAnAttemptThatNeverLearnedOfItsClaim(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"first attempt": 1, "take-over": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			operation := map[int]string{1: "PutItem", 2: "UpdateItem"}[n]
			d := newTestStore(t, cloudtest.Lose(operation, 1, errCut))
			at := start
			for range n - 1 {
				d.mustBegin("dead", at, "dead", "")
				at = at.Add(idempotency.Lease)
			}
			lost, err := d.beginAs("lost", at)
			if !errors.Is(err, errCut) {
				t.Fatalf("got %v, want the cut", err)
			}
			first := map[int]string{1: "lost", 2: "dead"}[n]
			d.mustRefuse("other", at, contract.IdempotencyInProgress)
			d.mustBegin("lost", at, first, "")
			must(t, d.Abandon(ctx, lost)) // what it may hold, it gives back
			d.mustBegin("retry", at, first, "")
			d.mustBegin("other", at.Add(idempotency.Lease), first, "")
		})
	}
}
