package submission_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/submission"
)

func TestAcceptQueuesEveryItemInFewCalls(t *testing.T) {
	t.Parallel()
	for n, calls := range map[int]int{0: 1, 1: 1, 49: 1, 50: 2, 51: 3, 100: 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := open(t)
			b, subs := d.batch(n, "ada", start)
			b.ItemCount = n + 3 // rejected items count too
			outcomes := d.mustAccept(b, subs)
			if got := len(d.calls.Reset()); got != calls {
				t.Errorf("got %d calls, want %d", got, calls)
			}
			got, err := d.Read(context.Background(), agency, b.ID, start)
			must(t, err)
			if calls := d.calls.Reset(); !slices.Equal(calls, []string{"DynamoDB.Query"}) {
				t.Errorf("a read made the calls %v", calls)
			}
			if got.ItemCount != n+3 || len(got.Items) != n || !got.CreatedAt.Equal(start) {
				t.Errorf("got %d of %d items, created %v", len(got.Items), got.ItemCount, got.CreatedAt)
			}
			for i, item := range got.Items {
				if item.Index != i || item.SubmissionID != subs[i].ID.String() || item.Status != contract.Queued || outcomes[i].Hint == "" {
					t.Errorf("item %d: got %+v, outcome %+v", i, item, outcomes[i])
				}
			}
		})
	}
}

func TestAStandingItemMakesDuplicates(t *testing.T) {
	t.Parallel()
	for n, calls := range map[int]int{1: 2, 100: 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := open(t)
			d.accept(n, "ada", start)
			b, subs := d.batch(n, "ada", start.Add(time.Second))
			d.calls.Reset()
			outcomes := d.mustAccept(b, subs)
			if got := len(d.calls.Reset()); got != calls {
				t.Errorf("got %d calls, want %d", got, calls)
			}
			for i, o := range outcomes {
				if want := (submission.Outcome{Status: contract.Deduplicated}); o != want {
					t.Errorf("item %d: got %+v, want %+v", i, o, want)
				}
			}
			for i, item := range d.items(b.ID, start) {
				if item.Status != contract.Deduplicated || item.SubmissionID != subs[i].ID.String() {
					t.Errorf("item %d: got %+v; want its own id, deduplicated", i, item)
				}
			}
		})
	}
}

func TestDuplicatesAmongNewItems(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.accept(60, "ada", start)
	b, subs := d.batch(100, "ada", start)
	for i, o := range d.mustAccept(b, subs) {
		want := contract.Queued
		if i < 60 {
			want = contract.Deduplicated
		}
		if o.Status != want || (o.Hint == "") != (want == contract.Deduplicated) {
			t.Errorf("item %d: got %+v, want %s", i, o, want)
		}
	}
}

func TestWhatMakesADuplicate(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.one("ada", start)
	for name, c := range map[string]struct {
		change func(*submission.Submission)
		want   contract.ItemStatus
	}{
		"the same candidate":       {func(*submission.Submission) {}, contract.Deduplicated},
		"another name":             {func(s *submission.Submission) { s.Name = "Ada B. Example" }, contract.Deduplicated},
		"another agency":           {func(s *submission.Submission) { s.AgencyID = "agy_2" }, contract.Queued},
		"another owner":            {func(s *submission.Submission) { s.OwnerID = "mem_2" }, contract.Queued},
		"another e-mail":           {func(s *submission.Submission) { s.Email = "b@example.com" }, contract.Queued},
		"another LinkedIn profile": {func(s *submission.Submission) { s.LinkedInURL += "-b" }, contract.Queued},
	} {
		b, subs := d.batch(1, "ada", start)
		c.change(&subs[0])
		if got := d.mustAccept(b, subs)[0].Status; got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestIdenticalSubmissionsAtOnce(t *testing.T) {
	t.Parallel()
	d := open(t)
	statuses := make([]contract.ItemStatus, 50)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() {
			b, subs := d.batch(1, "ada", start)
			outcomes, err := d.Accept(context.Background(), b, subs)
			if err != nil {
				t.Error(err)
				return
			}
			statuses[i] = outcomes[0].Status
		})
	}
	group.Wait()
	counts := map[contract.ItemStatus]int{}
	for _, s := range statuses {
		counts[s]++
	}
	if counts[contract.Queued] != 1 || counts[contract.Deduplicated] != 49 {
		t.Errorf("got %v; want 1 queued and 49 deduplicated", counts)
	}
}

func TestARepeatWritesOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	d := open(t, failSecondChunk())
	b, subs := d.batch(100, "ada", start)
	if _, err := d.Accept(context.Background(), b, subs); !errors.Is(err, errCut) {
		t.Fatalf("got %v; want the cut", err)
	}
	if got := len(d.items(b.ID, start)); got != 50 {
		t.Fatalf("got %d rows after the crash, want those of one transaction", got)
	}
	// Time goes on: an item of the first transaction runs, another one ends.
	due, _ := d.sweep(start.Add(settings.Resend))
	running := d.claim(due[0], start.Add(settings.Resend))
	ended := d.claim(due[1], start.Add(settings.Resend))
	must(t, d.Fail(context.Background(), ended, contract.ResumeParseFailed, "unreadable", start.Add(settings.Resend)))

	outcomes := d.mustAccept(b, subs)
	for i, item := range d.items(b.ID, start) {
		want, code := contract.Queued, contract.SubmissionError("")
		switch i {
		case running.Index:
			want = contract.Processing
		case ended.Index:
			want, code = contract.Failed, contract.ResumeParseFailed
		}
		if item.Status != want || outcomes[i].Status != want || outcomes[i].Code != code || outcomes[i].EnqueueFailed() {
			t.Errorf("item %d: got row %s, outcome %+v; want %s", i, item.Status, outcomes[i], want)
		}
		if hinted := outcomes[i].Hint != ""; hinted == want.Terminal() {
			t.Errorf("item %d is %s: hint %q", i, want, outcomes[i].Hint)
		}
	}
	d.calls.Reset()
	d.mustAccept(b, subs)
	if got := len(d.calls.Reset()); got != 3 {
		t.Errorf("a repeat that finds everything made %d calls, want 3", got)
	}
}

// failSecondChunk fails the first attempt at one of a batch's two transactions of
// items, once the other and the header's have happened.
func failSecondChunk() cloud.Hook {
	var others sync.WaitGroup
	others.Add(2)
	var chosen, failed atomic.Bool
	return func(_ context.Context, call cloud.Call, send func() error) error {
		in, ok := call.Input.(*dynamodb.TransactWriteItemsInput)
		if !ok || failed.Load() {
			return send()
		}
		if len(in.TransactItems) == 1 || !chosen.CompareAndSwap(false, true) {
			err := send()
			others.Done()
			return err
		}
		others.Wait()
		failed.Store(true)
		return errCut
	}
}

func TestARepeatReportsEveryEnd(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		end  func(d *desk, s submission.Submission, hint string) error
		want submission.Outcome
	}{
		"succeeded": {func(d *desk, _ submission.Submission, hint string) error {
			return d.succeed(d.claim(hint, start), start)
		},
			submission.Outcome{Status: contract.Succeeded}},
		"failed": {func(d *desk, _ submission.Submission, hint string) error {
			return d.Fail(ctx, d.claim(hint, start), contract.LinkedInNoExperience, "no experience", start)
		}, submission.Outcome{Status: contract.Failed, Code: contract.LinkedInNoExperience}},
		"enqueue failed": {func(d *desk, s submission.Submission, _ string) error {
			_, err := d.FailEnqueue(ctx, s, start)
			return err
		}, submission.Outcome{Status: contract.Failed, Code: contract.EnqueueFailed}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			b, subs := d.batch(1, "ada", start)
			hint := d.mustAccept(b, subs)[0].Hint
			must(t, c.end(d, subs[0], hint))
			if got := d.mustAccept(b, subs)[0]; got != c.want || got.EnqueueFailed() != (c.want.Code == contract.EnqueueFailed) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			// The candidate may be submitted again at once.
			d.one("ada", start)
		})
	}
}

func TestARepeatKeepsADuplicate(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, hint := d.one("ada", start)
	b, subs := d.batch(1, "ada", start)
	d.mustAccept(b, subs)
	must(t, d.succeed(d.claim(hint, start), start))
	if got := d.mustAccept(b, subs)[0]; got.Status != contract.Deduplicated || got.Hint != "" {
		t.Errorf("got %+v; want it to stay deduplicated after the original ended", got)
	}
}

func TestAnotherSubmissionInTheRowIsAnError(t *testing.T) {
	t.Parallel()
	d := open(t)
	b, subs := d.batch(1, "ada", start)
	d.mustAccept(b, subs)
	_, others := d.batch(1, "bob", start)
	others[0].BatchID = b.ID
	if _, err := d.Accept(context.Background(), b, others); err == nil {
		t.Error("a batch's row was taken for another submission's")
	}
}

func TestAnItemPastItsDeadlineGivesWay(t *testing.T) {
	t.Parallel()
	d := open(t)
	old, hint := d.one("ada", start)
	c := d.claim(hint, old.Deadline.Add(-2*time.Minute))

	b, subs := d.batch(1, "ada", old.Deadline.Add(-time.Millisecond))
	if got := d.mustAccept(b, subs)[0].Status; got != contract.Deduplicated {
		t.Fatalf("before the deadline: got %s", got)
	}
	fresh, _ := d.one("ada", old.Deadline)
	d.is(old, old.Deadline, contract.Failed, contract.IngestTimedOut)
	if err := d.succeed(c, old.Deadline); err == nil {
		t.Error("the worker of the item that gave way succeeded")
	}
	must(t, d.Fail(context.Background(), c, contract.ResumeParseFailed, "late", old.Deadline))
	d.is(fresh, old.Deadline, contract.Queued, "")
	d.is(old, old.Deadline, contract.Failed, contract.IngestTimedOut)
}

func TestAcceptWithLostAndDoubledCalls(t *testing.T) {
	t.Parallel()
	const write = "TransactWriteItems"
	for name, c := range map[string]struct {
		hook cloud.Hook
		err  error
	}{
		"the SDK tries again":      {cloudtest.Lose(write, 1, cloudtest.Lost{}), nil},
		"the client tries again":   {cloudtest.Lose(write, 1, errCut), errCut},
		"every call happens twice": {twice(write), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, c.hook)
			b, subs := d.batch(3, "ada", start)
			outcomes, err := d.Accept(context.Background(), b, subs)
			if !errors.Is(err, c.err) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if err != nil {
				outcomes = d.mustAccept(b, subs)
			}
			for i, o := range outcomes {
				if o.Status != contract.Queued || o.Hint == "" {
					t.Errorf("item %d: got %+v; want it queued", i, o)
				}
			}
		})
	}
}
