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

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func sweep(s *submission.Store, at time.Time) ([]string, submission.Swept, error) {
	var mu sync.Mutex
	var all []string
	swept, err := s.Sweep(context.Background(), at, func(_ context.Context, hints []string) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, hints...)
		return nil
	})
	return all, swept, err
}

func TestHintsAreSentAgainAfterDoubledWaits(t *testing.T) {
	t.Parallel()
	d := open(t)
	s, hint := d.one("ada", start)
	var sent []time.Duration
	for wait := time.Duration(0); wait < settings.Timeout; wait += 5 * time.Minute {
		got, swept := d.sweep(start.Add(wait))
		if len(got) == 0 {
			continue
		}
		if !slices.Equal(got, []string{hint}) || swept != (submission.Swept{Resent: 1}) {
			t.Fatalf("after %v: got %v, %+v", wait, got, swept)
		}
		sent = append(sent, wait)
	}
	want := []time.Duration{10 * time.Minute, 30 * time.Minute, 70 * time.Minute, 150 * time.Minute}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("sent after (-want +got):\n%s", diff)
	}
	d.is(s, start, contract.Queued, "")
}

func TestAnItemWhoseLeaseIsOverIsQueuedAgain(t *testing.T) {
	t.Parallel()
	d := open(t)
	s, hint := d.one("ada", start)
	d.claim(hint, start)
	if got, _ := d.sweep(start.Add(lease - time.Millisecond)); len(got) != 0 {
		t.Fatalf("during the lease: got %v", got)
	}
	d.is(s, start, contract.Processing, "")
	if got, _ := d.sweep(start.Add(lease)); !slices.Equal(got, []string{hint}) {
		t.Fatalf("after the lease: got %v, want its hint", got)
	}
	d.is(s, start, contract.Queued, "")
	if c := d.claim(hint, start.Add(lease)); c.Attempt != 2 {
		t.Errorf("got attempt %d, want 2", c.Attempt)
	}
}

func TestTheSweeperStoresWhatReadersAlreadySee(t *testing.T) {
	t.Parallel()
	d := open(t)
	queued, _ := d.one("ada", start)
	running, hint := d.one("bob", start)
	d.claim(hint, queued.Deadline.Add(-time.Second))
	waiting, hint := d.one("cyd", start)
	must(t, d.Requeue(context.Background(), d.claim(hint, start), start, 24*time.Hour))
	if _, swept := d.sweep(queued.Deadline.Add(-time.Millisecond)); swept.Ended != 0 {
		t.Fatalf("before the deadline: got %+v", swept)
	}
	later := queued.Deadline.Add(time.Second)
	for _, s := range []submission.Submission{queued, running, waiting} {
		d.is(s, queued.Deadline.Add(-time.Millisecond), map[bool]contract.ItemStatus{true: contract.Processing, false: contract.Queued}[s.ID == running.ID], "")
		d.is(s, queued.Deadline, contract.Failed, contract.IngestTimedOut)
	}
	seen := func() []contract.BatchItem {
		return slices.Concat(d.items(queued.BatchID, later), d.items(running.BatchID, later), d.items(waiting.BatchID, later))
	}
	before := seen()
	if _, swept := d.sweep(later); swept != (submission.Swept{Ended: 3}) {
		t.Errorf("got %+v, want three ended", swept)
	}
	after := seen()
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("what readers see changed (-before +after):\n%s", diff)
	}
	d.is(queued, start, contract.Failed, contract.IngestTimedOut) // it is stored
	if !after[0].UpdatedAt.Equal(queued.Deadline) {
		t.Errorf("the last transition was at %v, want the deadline", after[0].UpdatedAt)
	}
}

func TestATimeOutShorterThanTheResend(t *testing.T) {
	t.Parallel()
	d := openWith(t, submission.Settings{Timeout: time.Second, Resend: time.Hour})
	s, _ := d.one("ada", start)
	if _, swept := d.sweep(s.Deadline); swept.Ended != 1 {
		t.Errorf("got %+v, want it ended at its deadline", swept)
	}
}

func TestTheSweeperEndsAnItemOutOfAttempts(t *testing.T) {
	t.Parallel()
	d := open(t)
	s, hint := d.one("ada", start)
	at := start
	for range submission.MaxAttempts {
		d.claim(hint, at)
		at = at.Add(lease)
	}
	if got, swept := d.sweep(at); len(got) != 0 || swept.Ended != 1 {
		t.Errorf("got %v, %+v; want it ended", got, swept)
	}
	d.is(s, at, contract.Failed, contract.InternalError)
}

func TestAHintThatCannotBeSentIsDueAgain(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, hint := d.one("ada", start)
	at := start.Add(settings.Resend)
	_, err := d.Sweep(context.Background(), at, func(context.Context, []string) error { return errCut })
	if !errors.Is(err, errCut) {
		t.Errorf("got %v, want the cut", err)
	}
	if got, _ := d.sweep(at.Add(2 * settings.Resend)); !slices.Equal(got, []string{hint}) {
		t.Errorf("got %v, want the hint again", got)
	}
}

func TestSweepWithLostAndDoubledCalls(t *testing.T) {
	t.Parallel()
	const write = "TransactWriteItems"
	for name, hook := range map[string]cloud.Hook{
		"an answer is lost":       cloudtest.Lose(write, 3, cloudtest.Lost{}), // two acceptances come first
		"another answer is lost":  cloudtest.Lose(write, 4, cloudtest.Lost{}),
		"all happens twice":       twice(write),
		"all is read twice":       twice("Query"),
		"an item's read is twice": twice("GetItem"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, hook)
			old, _ := d.one("ada", start)
			_, hint := d.one("bob", start.Add(time.Hour))
			got, swept := d.sweep(old.Deadline)
			if !slices.Equal(got, []string{hint}) || swept != (submission.Swept{Ended: 1, Resent: 1}) {
				t.Errorf("got %v, %+v; want one ended and one sent", got, swept)
			}
			d.is(old, start, contract.Failed, contract.IngestTimedOut)
		})
	}
}

func TestHintsTellNothingOfAPerson(t *testing.T) {
	t.Parallel()
	d := open(t)
	b, subs := d.batch(1, "ada", start)
	hint := d.mustAccept(b, subs)[0].Hint
	again, _ := d.sweep(start.Add(settings.Resend))
	for _, secret := range []string{subs[0].Name, subs[0].Email, "ada", "linkedin", agency, "mem_1"} {
		if strings.Contains(strings.ToLower(hint+again[0]), strings.ToLower(secret)) {
			t.Errorf("the hint %s tells %q", hint, secret)
		}
	}
}
