package submission_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The calls of Accept and Read are counted beside their own tests.
func TestCallsOfWorkersAndSweepers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	var c submission.Claim
	for _, step := range []struct {
		name string
		want int
		do   func() error
	}{
		{"a sweep that finds nothing: one query a shard", 16, func() error { d.sweepAt(start); return nil }},
		{"a claim", 2, func() error { c = d.mustClaim(wakeUp, start); return nil }},
		{"asking whether a claim is held", 1, func() error { _, err := d.Held(ctx, c); return err }},
		{"a busy item", 1, func() error { return wantClaimError(d, wakeUp, start, submission.ErrBusy) }},
		{"giving back", 1, func() error { return d.Requeue(ctx, c, start, time.Minute) }},
		{"a sweep that finds one", 16 + 2, func() error { d.sweepAt(start.Add(time.Minute)); return nil }},
		{"a refused message", 1, func() error { _, err := d.FailEnqueue(ctx, s, start); return err }},
		{"the next claim", 2, func() error { c = d.mustClaim(wakeUp, start.Add(time.Minute)); return nil }},
		{"a failure", 1, func() error { return d.Fail(ctx, c, contract.ResumeParseFailed, "unreadable", start.Add(time.Minute)) }},
		{"an item that has ended", 1, func() error { return wantClaimError(d, wakeUp, start, submission.ErrGone) }},
	} {
		d.calls.Reset()
		must(t, step.do())
		if got := d.calls.Reset(); len(got) != step.want {
			t.Errorf("%s made the calls %v, want %d", step.name, got, step.want)
		}
	}
}

// wantClaimError claims and answers nil if that fails with want.
func wantClaimError(d *testStore, wakeUp string, at time.Time, want error) error {
	_, err := d.Claim(context.Background(), wakeUp, "other", at, lease)
	if errors.Is(err, want) {
		return nil
	}
	return errors.Join(errors.New("an unexpected outcome"), err)
}
