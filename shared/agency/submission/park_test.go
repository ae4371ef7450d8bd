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
	s, wakeUp := d.acceptOne("ada", start)
	at := start
	for n := range 3 * submission.MaxAttempts {
		c := d.mustClaim(wakeUp, at)
		if c.Attempt != 1 || c.Parks != n {
			t.Fatalf("after %d parks: got attempt %d, parks %d", n, c.Attempt, c.Parks)
		}
		must(t, d.Park(context.Background(), c, at, at.Add(time.Minute)))
		d.wantItem(s, at, contract.Queued, "")
		if early, _ := d.sweepAt(at.Add(time.Minute - time.Millisecond)); len(early) != 0 {
			t.Fatalf("due before its time: %v", early)
		}
		at = at.Add(time.Minute)
		if due, _ := d.sweepAt(at); len(due) != 1 || due[0] != wakeUp {
			t.Fatalf("got %v, want its wake-up message", due)
		}
	}
	for n := range submission.MaxAttempts { // a worker that dies uses an attempt
		if c := d.mustClaim(wakeUp, at); c.Attempt != n+1 {
			t.Fatalf("got attempt %d, want %d", c.Attempt, n+1)
		}
		at = at.Add(lease)
	}
	d.sweepAt(at)
	d.wantItem(s, at, contract.Failed, contract.InternalError)
}

// TestAParkedItemHasItsWholeTimeAfterTheOutage fails unless an item times out four hours after the end of its last parking and not
// after its submission, for workers, readers, the sweeper and those who submit the candidate again.
func TestAParkedItemHasItsWholeTimeAfterTheOutage(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	at := start
	for range 2 { // seven hours
		must(t, d.Park(t.Context(), d.mustClaim(wakeUp, at), at, at.Add(3*time.Hour+30*time.Minute)))
		at = at.Add(3*time.Hour + 30*time.Minute)
	}
	if due, swept := d.sweepAt(at); len(due) != 1 || swept.Ended != 0 {
		t.Fatalf("got %v, %+v; want its wake-up message", due, swept)
	}
	b, again := d.newBatch(1, "ada", at)
	if outcome := d.mustAccept(b, again)[0]; outcome.Status != contract.Deduplicated {
		t.Errorf("the candidate submitted again: got %v", outcome.Status)
	}
	end := at.Add(settings.Timeout)
	d.wantItem(s, end.Add(-time.Millisecond), contract.Queued, "")
	d.wantItem(s, end, contract.Failed, contract.IngestTimedOut)
	page, _, err := d.ListBatches(t.Context(), agency, "", 10, end.Add(-time.Millisecond))
	must(t, err)
	if got := page[len(page)-1].Counts; got != (contract.BatchCounts{Queued: 1}) {
		t.Errorf("the list of batches: got %+v, want one queued", got)
	}
	if c := d.mustClaim(wakeUp, end.Add(-time.Millisecond)); !c.Deadline.Equal(end) {
		t.Errorf("a worker has until %v, want %v", c.Deadline, end)
	}
	if _, swept := d.sweepAt(end); swept.Ended != 1 {
		t.Errorf("got %+v, want it timed out", swept)
	}
}

// TestParkingEndsADayAfterTheSubmission fails unless no parking lets an item live longer than six time-outs.
func TestParkingEndsADayAfterTheSubmission(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	last := start.Add(24 * time.Hour)
	if got := d.LastDeadline(s); !got.Equal(last) {
		t.Fatalf("got %v, want %v", got, last)
	}
	at := start
	for range 10 {
		must(t, d.Park(t.Context(), d.mustClaim(wakeUp, at), at, at.Add(2*time.Hour)))
		at = at.Add(2 * time.Hour)
	}
	must(t, d.Park(t.Context(), d.mustClaim(wakeUp, at), at, at.Add(10*time.Hour)))
	d.wantItem(s, last.Add(-time.Millisecond), contract.Queued, "")
	d.wantItem(s, last, contract.Failed, contract.IngestTimedOut)
	if _, swept := d.sweepAt(last); swept.Ended != 1 {
		t.Errorf("got %+v, want it timed out", swept)
	}
}

// A batch reads as parked only while all of its in-flight items are.
func TestABatchIsParkedWhileAllItsInFlightItemsAre(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	subs, wakeUps := d.acceptNew(3, "ada", start)
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
		must(t, d.Park(context.Background(), d.mustClaim(wakeUps[n], start), start, start.Add(wait)))
	}
	park(0, time.Hour)
	park(1, time.Minute)
	parkedUntil(time.Time{})
	must(t, d.succeedAt(d.mustClaim(wakeUps[2], start), start))
	parkedUntil(start.Add(time.Minute))
	c := d.mustClaim(wakeUps[1], start.Add(time.Minute))
	parkedUntil(time.Time{})
	must(t, d.succeedAt(c, start.Add(time.Minute)))
	parkedUntil(start.Add(time.Hour))
}
