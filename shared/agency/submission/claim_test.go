package submission_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func TestClaimHoldsForItsLease(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	d.calls.Reset()
	c := d.mustClaim(wakeUp, start)
	if got := len(d.calls.Reset()); got != 2 {
		t.Errorf("a claim made %d calls, want 2", got)
	}
	if c.Attempt != 1 || c.ID != s.ID || c.LastAttempt() {
		t.Errorf("got attempt %d of %s", c.Attempt, c.ID)
	}
	d.wantItem(s, start, contract.Processing, "")
	before := start.Add(lease - time.Millisecond)
	if _, err := d.Claim(context.Background(), wakeUp, "other", before, lease); !errors.Is(err, submission.ErrBusy) {
		t.Errorf("during the lease: got %v, want ErrBusy", err)
	}
	d.calls.Reset()
	if got := d.mustClaim(wakeUp, start.Add(lease)); got.Attempt != 2 {
		t.Errorf("after the lease: got attempt %d, want 2", got.Attempt)
	}
	wantHeld(t, d, c, false)
}

func wantHeld(t *testing.T, d *testStore, c submission.Claim, want bool) {
	t.Helper()
	got, err := d.Held(context.Background(), c)
	must(t, err)
	if got != want {
		t.Errorf("held: got %v, want %v", got, want)
	}
}

func TestOneOfManyClaimsWins(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	_, wakeUp := d.acceptOne("ada", start)
	var won atomic.Int32
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, err := d.Claim(context.Background(), wakeUp, uuid.NewString(), start, lease)
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, submission.ErrBusy):
				t.Error(err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 {
		t.Errorf("%d claims won, want 1", won.Load())
	}
}

func TestFiveAttemptsEndAnItem(t *testing.T) {
	t.Parallel()
	for name, giveUp := range map[string]func(d *testStore, c submission.Claim, at time.Time) time.Time{
		"workers that die": func(_ *testStore, _ submission.Claim, at time.Time) time.Time { return at.Add(lease) },
		"workers that fail": func(d *testStore, c submission.Claim, at time.Time) time.Time {
			must(d.t, d.Requeue(context.Background(), c, at, time.Minute))
			return at
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			s, wakeUp := d.acceptOne("ada", start)
			at := start
			for n := range submission.MaxAttempts {
				c := d.mustClaim(wakeUp, at)
				if c.Attempt != n+1 || c.LastAttempt() != (n+1 == submission.MaxAttempts) {
					t.Fatalf("got attempt %d, last %v", c.Attempt, c.LastAttempt())
				}
				at = giveUp(d, c, at)
			}
			if _, err := d.Claim(context.Background(), wakeUp, "sixth", at, lease); !errors.Is(err, submission.ErrGone) {
				t.Errorf("got %v, want ErrGone", err)
			}
			d.wantItem(s, at, contract.Failed, contract.InternalError)
		})
	}
}

func TestExhaustedEndsTheLastAttempt(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	must(t, d.exhaust(context.Background(), d.mustClaim(wakeUp, start), start))
	d.wantItem(s, start, contract.Failed, contract.InternalError)
}

func TestNothingToClaim(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	ended, endedWakeUp := d.acceptOne("ada", start)
	must(t, d.succeedAt(d.mustClaim(endedWakeUp, start), start))
	_, replacedWakeUp := d.acceptOne("bob", start)
	must(t, d.Fail(context.Background(), d.mustClaim(replacedWakeUp, start), contract.ResumeParseFailed, "unreadable", start))
	d.acceptOne("bob", start)
	late, lateWakeUp := d.acceptOne("cyd", start)
	for name, c := range map[string]struct {
		wakeUp string
		at     time.Time
	}{
		"it has ended":                 {endedWakeUp, start},
		"another one has its place":    {replacedWakeUp, start},
		"its time is over":             {lateWakeUp, late.Deadline},
		"its time was over: ended now": {lateWakeUp, late.Deadline},
	} {
		if _, err := d.Claim(context.Background(), c.wakeUp, "n", c.at, lease); !errors.Is(err, submission.ErrGone) {
			t.Errorf("%s: got %v, want ErrGone", name, err)
		}
	}
	d.wantItem(ended, start, contract.Succeeded, "")
	d.wantItem(late, late.Deadline, contract.Failed, contract.IngestTimedOut)
	if _, err := d.Claim(context.Background(), "{}", "n", start, lease); err == nil || errors.Is(err, submission.ErrGone) {
		t.Errorf("a message that is no wake-up message: got %v, want an error of its own", err)
	}
}

func TestAnEndThatFailsIsNoEnd(t *testing.T) {
	t.Parallel()
	d := newTestStore(t, cloudtest.Lose("TransactWriteItems", 2, errCut)) // 1 is the acceptance
	s, wakeUp := d.acceptOne("ada", start)
	if _, err := d.Claim(context.Background(), wakeUp, "n", s.Deadline, lease); !errors.Is(err, errCut) || errors.Is(err, submission.ErrGone) {
		t.Errorf("got %v, want the cut alone", err)
	}
}

func TestRequeueGivesTheItemBack(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	c := d.mustClaim(wakeUp, start)
	must(t, d.Requeue(context.Background(), c, start, time.Minute))
	d.wantItem(s, start, contract.Queued, "")
	wantHeld(t, d, c, false)
	if got, _ := d.sweepAt(start.Add(time.Minute - time.Millisecond)); len(got) != 0 {
		t.Errorf("the item is due before its wait is over")
	}
	if got, _ := d.sweepAt(start.Add(time.Minute)); len(got) != 1 || got[0] != wakeUp {
		t.Errorf("after the wait: got %v, want its wake-up message", got)
	}
	if again := d.mustClaim(wakeUp, start.Add(time.Minute)); again.Attempt != 2 {
		t.Errorf("got attempt %d, want 2", again.Attempt)
	}
}

func TestSucceedIsPartOfOneTransaction(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	late := d.mustClaim(wakeUp, start)
	c := d.mustClaim(wakeUp, start.Add(lease))
	beside := func(c submission.Claim, key string) error {
		tx := d.db.WriteTx().Put(d.table.Put(dynamo.Item{topology.PK: text(key), topology.SK: text("X")}))
		return d.Succeed(tx, c, "cu_1", "", start.Add(lease)).Run(context.Background())
	}
	if err := beside(late, "late"); !dynamo.IsCondCheckFailed(err) {
		t.Errorf("a late worker: got %v, want a failed condition", err)
	}
	must(t, beside(c, "winner"))
	if d.fileExists("late") || !d.fileExists("winner") {
		t.Error("what stands beside the end must be written with it, or not at all")
	}
	if got := d.readItem(s, start); got.Status != contract.Succeeded || got.CandidateUserID != "cu_1" {
		t.Errorf("got %+v; want it succeeded as cu_1", got)
	}
	wantHeld(t, d, c, false)
}

func TestFailEnqueue(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, wakeUp := d.acceptOne("ada", start)
	if ended, err := d.FailEnqueue(context.Background(), s, start); !ended || err != nil {
		t.Fatalf("got %v, %v; want it ended", ended, err)
	}
	d.wantItem(s, start, contract.Failed, contract.EnqueueFailed)
	if _, err := d.Claim(context.Background(), wakeUp, "n", start, lease); !errors.Is(err, submission.ErrGone) {
		t.Errorf("its wake-up message arrived all the same: got %v, want ErrGone", err)
	}

	late, _ := d.acceptOne("cyd", start)
	if ended, err := d.FailEnqueue(context.Background(), late, late.Deadline); ended || err != nil {
		t.Errorf("its time is over: got %v, %v; want it left to the sweeper", ended, err)
	}
	taken, wakeUp := d.acceptOne("bob", start)
	c := d.mustClaim(wakeUp, start)
	for range 2 { // while it runs, and after it was given back
		if ended, err := d.FailEnqueue(context.Background(), taken, start); ended || err != nil {
			t.Errorf("a worker took it on: got %v, %v; want it left alone", ended, err)
		}
		must(t, d.Requeue(context.Background(), c, start, 0))
	}
	d.wantItem(taken, start, contract.Queued, "")
}

func TestClaimsWithLostAndDoubledCalls(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const write = "TransactWriteItems"
	ends := map[string]struct {
		end    func(d *testStore, c submission.Claim) error
		status contract.ItemStatus
		code   contract.SubmissionError
	}{
		"claim":   {func(*testStore, submission.Claim) error { return nil }, contract.Processing, ""},
		"requeue": {func(d *testStore, c submission.Claim) error { return d.Requeue(ctx, c, start, time.Minute) }, contract.Queued, ""},
		"park": {func(d *testStore, c submission.Claim) error {
			return d.Park(ctx, c, start, start.Add(time.Minute))
		}, contract.Queued, ""},
		"fail": {func(d *testStore, c submission.Claim) error {
			return d.Fail(ctx, c, contract.LinkedInNoExperience, "no experience", start)
		}, contract.Failed, contract.LinkedInNoExperience},
		"succeed": {func(d *testStore, c submission.Claim) error { return d.succeedAt(c, start) }, contract.Succeeded, ""},
	}
	for name, c := range ends {
		for how, hook := range map[string]cloud.Hook{
			"the claim's answer is lost": cloudtest.Lose(write, 2, cloudtest.Lost{}), // 1 is the acceptance
			"the end's answer is lost":   cloudtest.Lose(write, 3, cloudtest.Lost{}),
			"all happens twice":          sendTwice(write),
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t, hook)
				s, wakeUp := d.acceptOne("ada", start)
				must(t, c.end(d, d.mustClaim(wakeUp, start)))
				d.wantItem(s, start, c.status, c.code)
			})
		}
	}
}

func TestAWorkerWhoseClaimWasLostOnTheWayTriesAgain(t *testing.T) {
	t.Parallel()
	d := newTestStore(t, cloudtest.Lose("TransactWriteItems", 2, errCut))
	s, wakeUp := d.acceptOne("ada", start)
	if _, err := d.Claim(context.Background(), wakeUp, "n1", start, lease); !errors.Is(err, errCut) {
		t.Fatalf("got %v, want the cut", err)
	}
	c, err := d.Claim(context.Background(), wakeUp, "n1", start, lease)
	if err != nil || c.Attempt != 1 {
		t.Fatalf("got attempt %d, %v; want the same attempt", c.Attempt, err)
	}
	must(t, d.succeedAt(c, start))
	d.wantItem(s, start, contract.Succeeded, "")
}
