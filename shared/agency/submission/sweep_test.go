package submission_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func sweepWakeUps(s *submission.Store, at time.Time) ([]string, submission.Swept, error) {
	var mu sync.Mutex
	var all []string
	swept, err := sweepAll(s, at, func(_ context.Context, wakeUps []cloud.Message) error {
		mu.Lock()
		defer mu.Unlock()
		for _, wakeUp := range wakeUps {
			all = append(all, wakeUp.Body)
		}
		return nil
	})
	return all, swept, err
}

// sweepAll takes all turns of a sweep.
func sweepAll(s *submission.Store, at time.Time, send func(context.Context, []cloud.Message) error) (submission.Swept, error) {
	w := s.NewSweep(at, send)
	more := func() bool { return true }
	failed := error(nil)
	for _, turn := range []func(context.Context, func() bool) (bool, error){w.CheckInFlight, w.RemoveFiles} {
		for left := true; left; {
			var err error
			left, err = turn(context.Background(), more)
			failed = errors.Join(failed, err)
		}
	}
	return w.Swept(), failed
}

// The wait doubles up to four times the first one, so that no lost wake-up message costs hours.
func TestWakeUpsAreSentAgainAfterDoubledWaits(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	var sent []time.Duration
	for wait := time.Duration(0); wait < settings.Timeout; wait += 5 * time.Minute {
		got, swept := d.sweepAt(start.Add(wait))
		if len(got) == 0 {
			continue
		}
		if !slices.Equal(got, []string{wakeUp}) || swept != (submission.Swept{Resent: 1}) {
			t.Fatalf("after %v: got %v, %+v", wait, got, swept)
		}
		sent = append(sent, wait)
	}
	want := []time.Duration{
		10 * time.Minute, 30 * time.Minute, 70 * time.Minute, 110 * time.Minute, 150 * time.Minute, 190 * time.Minute, 230 * time.Minute,
	}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("sent after (-want +got):\n%s", diff)
	}
	d.wantItem(s, start, contract.Queued, "")
}

func TestAnItemWhoseLeaseIsOverIsQueuedAgain(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	d.mustClaim(wakeUp, start)
	if got, _ := d.sweepAt(start.Add(lease - time.Millisecond)); len(got) != 0 {
		t.Fatalf("during the lease: got %v", got)
	}
	d.wantItem(s, start, contract.Processing, "")
	if got, _ := d.sweepAt(start.Add(lease)); !slices.Equal(got, []string{wakeUp}) {
		t.Fatalf("after the lease: got %v, want its wake-up message", got)
	}
	d.wantItem(s, start, contract.Queued, "")
	if c := d.mustClaim(wakeUp, start.Add(lease)); c.Attempt != 2 {
		t.Errorf("got attempt %d, want 2", c.Attempt)
	}
}

func TestTheSweeperStoresWhatReadersAlreadySee(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	queued, _ := d.acceptOne("ada", start)
	running, wakeUp := d.acceptOne("bob", start)
	d.mustClaim(wakeUp, queued.Deadline.Add(-time.Second))
	waiting, wakeUp := d.acceptOne("cyd", start)
	must(t, d.Requeue(context.Background(), d.mustClaim(wakeUp, start), start, 24*time.Hour))
	if _, swept := d.sweepAt(queued.Deadline.Add(-time.Millisecond)); swept.Ended != 0 {
		t.Fatalf("before the deadline: got %+v", swept)
	}
	later := queued.Deadline.Add(time.Second)
	for _, s := range []submission.Submission{queued, running, waiting} {
		d.wantItem(s, queued.Deadline.Add(-time.Millisecond), map[bool]contract.ItemStatus{true: contract.Processing, false: contract.Queued}[s.ID == running.ID], "")
		d.wantItem(s, queued.Deadline, contract.Failed, contract.IngestTimedOut)
	}
	seen := func() []contract.BatchItem {
		return slices.Concat(d.readItems(queued.BatchID, later), d.readItems(running.BatchID, later), d.readItems(waiting.BatchID, later))
	}
	before := seen()
	if _, swept := d.sweepAt(later); swept != (submission.Swept{Ended: 3}) {
		t.Errorf("got %+v, want three ended", swept)
	}
	after := seen()
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("what readers see changed (-before +after):\n%s", diff)
	}
	d.wantItem(queued, start, contract.Failed, contract.IngestTimedOut) // it is stored
	if !after[0].UpdatedAt.Equal(queued.Deadline) {
		t.Errorf("the last transition was at %v, want the deadline", after[0].UpdatedAt)
	}
}

func TestATimeOutShorterThanTheResend(t *testing.T) {
	t.Parallel()
	d := newTestStoreWith(t, submission.Settings{Timeout: time.Second, Resend: time.Hour})
	s, _ := d.acceptOne("ada", start)
	if _, swept := d.sweepAt(s.Deadline); swept.Ended != 1 {
		t.Errorf("got %+v, want it ended at its deadline", swept)
	}
}

func TestTheSweeperEndsAnItemOutOfAttempts(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	at := start
	for range submission.MaxAttempts {
		d.mustClaim(wakeUp, at)
		at = at.Add(lease)
	}
	if got, swept := d.sweepAt(at); len(got) != 0 || swept.Ended != 1 {
		t.Errorf("got %v, %+v; want it ended", got, swept)
	}
	d.wantItem(s, at, contract.Failed, contract.InternalError)
}

func TestAWakeUpThatCannotBeSentIsDueAgain(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	_, wakeUp := d.acceptOne("ada", start)
	at := start.Add(settings.Resend)
	_, err := sweepAll(d.Store, at, func(context.Context, []cloud.Message) error { return errCut })
	if !errors.Is(err, errCut) {
		t.Errorf("got %v, want the cut", err)
	}
	if got, _ := d.sweepAt(at.Add(2 * settings.Resend)); !slices.Equal(got, []string{wakeUp}) {
		t.Errorf("got %v, want the wake-up message again", got)
	}
}

func TestSweepWithLostAndDoubledCalls(t *testing.T) {
	t.Parallel()
	const write = "TransactWriteItems"
	for name, hook := range map[string]cloud.Hook{
		"an answer is lost":       cloudtest.Lose(write, 3, cloudtest.Lost{}), // two acceptances come first
		"another answer is lost":  cloudtest.Lose(write, 4, cloudtest.Lost{}),
		"all happens twice":       sendTwice(write),
		"all is read twice":       sendTwice("Query"),
		"an item's read is twice": sendTwice("GetItem"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t, hook)
			old, _ := d.acceptOne("ada", start)
			_, wakeUp := d.acceptOne("bob", start.Add(time.Hour))
			got, swept := d.sweepAt(old.Deadline)
			if !slices.Equal(got, []string{wakeUp}) || swept != (submission.Swept{Ended: 1, Resent: 1}) {
				t.Errorf("got %v, %+v; want one ended and one sent", got, swept)
			}
			d.wantItem(old, start, contract.Failed, contract.IngestTimedOut)
		})
	}
}

func TestWakeUpsTellNothingOfAPerson(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	b, subs := d.newBatch(1, "zoe", start) // no hexadecimal digits, as ids have
	wakeUp := d.mustAccept(b, subs)[0].WakeUp.Body
	again, _ := d.sweepAt(start.Add(settings.Resend))
	for _, secret := range []string{subs[0].Name, subs[0].Email, "zoe", "linkedin", agency, "mem_1"} {
		if strings.Contains(strings.ToLower(wakeUp+again[0]), strings.ToLower(secret)) {
			t.Errorf("the wake-up message %s tells %q", wakeUp, secret)
		}
	}
}
