package idempotency_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestPeriods compares the periods with the contract's, in numbers: an attempt has a minute, and an answer is replayed for a day.
func TestPeriods(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustBegin("first", start, "first", "")
	d.mustRefuse("second", start.Add(59*time.Second), contract.IdempotencyInProgress)
	second := d.mustBegin("second", start.Add(60*time.Second), "first", "")
	must(t, d.Complete(ctx, second, []byte("answer")))
	d.mustBegin("retry", start.Add(24*time.Hour-time.Second), "first", "answer")
	d.mustBegin("tomorrow", start.Add(24*time.Hour), "tomorrow", "")
}

// TestFailedWritesAreErrors fails if an attempt takes a write that failed for one that was done.
func TestFailedWritesAreErrors(t *testing.T) {
	t.Parallel()
	isDown := false
	d := newTestStore(t, func(_ context.Context, _ cloud.Call, send func() error) error {
		if isDown {
			return errCut
		}
		return send()
	})
	a := d.mustBegin("first", start, "first", "")
	isDown = true
	for name, write := range map[string]func() error{
		"begin":    func() error { _, err := d.beginAs("second", start); return err },
		"complete": func() error { return d.Complete(ctx, a, []byte("answer")) },
		"abandon":  func() error { return d.Abandon(ctx, a) },
		"release":  func() error { return d.Release(ctx, a) },
	} {
		if err := write(); !errors.Is(err, errCut) || strings.Count(err.Error(), errCut.Error()) != 1 {
			t.Errorf("%s: got %v, want %v, said once", name, err, errCut)
		}
	}
}

// TestAClaimThatCannotBeReadIsAnError fails if such a claim is taken for another request's.
func TestAClaimThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustBegin("first", start, "first", "")
	var items []map[string]any
	must(t, d.table.Scan().All(ctx, &items))
	for _, item := range items {
		must(t, d.table.Update(topology.PK, item[topology.PK]).Range(topology.SK, item[topology.SK]).Set("started", []int{1}).Run(ctx))
	}
	if a, err := d.beginAs("second", start.Add(idempotency.Lease)); err == nil || errors.As(err, new(*fault.Error)) {
		t.Errorf("got %+v, %v, want an error that is no conflict", a, err)
	}
}
