package submission_test

import (
	"context"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func TestParkingUsesNoAttempt(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, hint := d.acceptOne("ada", start)
	at := start
	for n := range 3 * submission.MaxAttempts {
		c := d.mustClaim(hint, at)
		if c.Attempt != 1 || c.Parks != n {
			t.Fatalf("after %d parks: got attempt %d, parks %d", n, c.Attempt, c.Parks)
		}
		must(t, d.Park(context.Background(), c, at, at.Add(time.Minute)))
		d.wantItem(s, at, contract.Queued, "")
		if early, _ := d.sweepAt(at.Add(time.Minute - time.Millisecond)); len(early) != 0 {
			t.Fatalf("due before its time: %v", early)
		}
		at = at.Add(time.Minute)
		if due, _ := d.sweepAt(at); len(due) != 1 || due[0] != hint {
			t.Fatalf("got %v, want its hint", due)
		}
	}
	for n := range submission.MaxAttempts { // a worker that dies uses an attempt
		if c := d.mustClaim(hint, at); c.Attempt != n+1 {
			t.Fatalf("got attempt %d, want %d", c.Attempt, n+1)
		}
		at = at.Add(lease)
	}
	d.sweepAt(at)
	d.wantItem(s, at, contract.Failed, contract.InternalError)
}

func TestParkingEndsAtTheDeadline(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, hint := d.acceptOne("ada", start)
	must(t, d.Park(context.Background(), d.mustClaim(hint, start), start, start.Add(24*time.Hour)))
	if _, swept := d.sweepAt(s.Deadline); swept.Ended != 1 {
		t.Errorf("got %+v, want it timed out", swept)
	}
}

// A batch reads as parked only while all of its live items are.
func TestABatchIsParkedWhileAllItsLiveItemsAre(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	subs, hints := d.acceptNew(3, "ada", start)
	parkedUntil := func(want time.Time) {
		t.Helper()
		_, got, err := d.ReadBatch(context.Background(), agency, subs[0].BatchID, start)
		must(t, err)
		if !got.Equal(want) {
			t.Errorf("parked until %v, want %v", got, want)
		}
	}
	park := func(n int, wait time.Duration) {
		t.Helper()
		must(t, d.Park(context.Background(), d.mustClaim(hints[n], start), start, start.Add(wait)))
	}
	park(0, time.Hour)
	park(1, time.Minute)
	parkedUntil(time.Time{})
	must(t, d.succeedAt(d.mustClaim(hints[2], start), start))
	parkedUntil(start.Add(time.Minute))
	c := d.mustClaim(hints[1], start.Add(time.Minute))
	parkedUntil(time.Time{})
	must(t, d.succeedAt(c, start.Add(time.Minute)))
	parkedUntil(start.Add(time.Hour))
}
