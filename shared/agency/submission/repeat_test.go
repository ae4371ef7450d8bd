package submission_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestARepeatWritesOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	d := newTestStore(t, failSecondChunk())
	b, subs := d.newBatch(100, "ada", start)
	if _, err := d.Accept(context.Background(), b, subs); !errors.Is(err, errCut) {
		t.Fatalf("got %v; want the cut", err)
	}
	if got := len(d.readItems(b.ID, start)); got != 50 {
		t.Fatalf("got %d rows after the crash, want those of one transaction", got)
	}
	// Time goes on: an item of the first transaction runs, another one ends.
	due, _ := d.sweepAt(start.Add(settings.Resend))
	running := d.mustClaim(due[0], start.Add(settings.Resend))
	ended := d.mustClaim(due[1], start.Add(settings.Resend))
	must(t, d.Fail(context.Background(), ended, contract.ResumeParseFailed, "unreadable", start.Add(settings.Resend)))

	outcomes := d.mustAccept(b, subs)
	for i, item := range d.readItems(b.ID, start) {
		want := contract.Queued
		code := contract.SubmissionError("")
		switch i {
		case running.Index:
			want = contract.Processing
		case ended.Index:
			want = contract.Failed
			code = contract.ResumeParseFailed
		}
		if item.Status != want || outcomes[i].Status != want || outcomes[i].Code != code || outcomes[i].EnqueueFailed() {
			t.Errorf("item %d: got row %s, outcome %+v; want %s", i, item.Status, outcomes[i], want)
		}
		if hinted := outcomes[i].WakeUp.Body != ""; hinted == want.Terminal() {
			t.Errorf("item %d is %s: wake-up message %q", i, want, outcomes[i].WakeUp.Body)
		}
	}
	d.calls.Reset()
	d.mustAccept(b, subs)
	if got := len(d.calls.Reset()); got != 3 {
		t.Errorf("a repeat that finds everything made %d calls, want 3", got)
	}
}

// failSecondChunk fails the first attempt at the second of a batch's transactions,
// once the other has happened.
func failSecondChunk() cloud.Hook {
	first := make(chan struct{})
	var failed atomic.Bool
	return func(_ context.Context, call cloud.Call, send func() error) error {
		in, ok := call.Input.(*dynamodb.TransactWriteItemsInput)
		if !ok || failed.Load() {
			return send()
		}
		if kind := in.TransactItems[0].Put.Item["sk"].(*types.AttributeValueMemberS); kind.Value == "H" {
			defer close(first)
			return send()
		}
		<-first
		failed.Store(true)
		return errCut
	}
}

func TestARepeatReportsEveryEnd(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		end  func(d *testStore, s submission.Submission, wakeUp string) error
		want submission.Outcome
	}{
		"succeeded": {func(d *testStore, _ submission.Submission, wakeUp string) error {
			return d.succeedAt(d.mustClaim(wakeUp, start), start)
		},
			submission.Outcome{Status: contract.Succeeded}},
		"failed": {func(d *testStore, _ submission.Submission, wakeUp string) error {
			return d.Fail(ctx, d.mustClaim(wakeUp, start), contract.LinkedInNoExperience, "no experience", start)
		}, submission.Outcome{Status: contract.Failed, Code: contract.LinkedInNoExperience}},
		"enqueue failed": {func(d *testStore, s submission.Submission, _ string) error {
			_, err := d.FailEnqueue(ctx, s, start)
			return err
		}, submission.Outcome{Status: contract.Failed, Code: contract.EnqueueFailed}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			b, subs := d.newBatch(1, "ada", start)
			wakeUp := d.mustAccept(b, subs)[0].WakeUp.Body
			must(t, c.end(d, subs[0], wakeUp))
			if got := d.mustAccept(b, subs)[0]; got != c.want || got.EnqueueFailed() != (c.want.Code == contract.EnqueueFailed) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			// The candidate may be submitted again at once.
			d.acceptOne("ada", start)
		})
	}
}

func TestARepeatKeepsADuplicate(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	_, wakeUp := d.acceptOne("ada", start)
	b, subs := d.newBatch(1, "ada", start)
	d.mustAccept(b, subs)
	must(t, d.succeedAt(d.mustClaim(wakeUp, start), start))
	if got := d.mustAccept(b, subs)[0]; got.Status != contract.Deduplicated || got.WakeUp.Body != "" {
		t.Errorf("got %+v; want it to stay deduplicated after the original ended", got)
	}
}
