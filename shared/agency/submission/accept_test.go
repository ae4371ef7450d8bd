package submission_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestAcceptQueuesEveryItemInFewCalls(t *testing.T) {
	t.Parallel()
	for n, calls := range map[int]int{0: 1, 1: 1, 50: 1, 51: 2, 100: 2} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			b, subs := d.newBatch(n, "ada", start)
			b.ItemCount = n + 3 // rejected items count too
			outcomes := d.mustAccept(b, subs)
			if got := len(d.calls.Reset()); got != calls {
				t.Errorf("got %d calls, want %d", got, calls)
			}
			got, _, err := d.ReadBatch(context.Background(), agency, b.ID, start)
			must(t, err)
			if calls := d.calls.Reset(); !slices.Equal(calls, []string{"DynamoDB.Query"}) {
				t.Errorf("a read made the calls %v", calls)
			}
			if got.ItemCount != n+3 || len(got.Items) != n || !got.CreatedAt.Equal(start) {
				t.Errorf("got %d of %d items, created %v", len(got.Items), got.ItemCount, got.CreatedAt)
			}
			for i, item := range got.Items {
				if item.Index != i || item.SubmissionID != subs[i].ID.String() || item.Status != contract.Queued || outcomes[i].WakeUp.Body == "" {
					t.Errorf("item %d: got %+v, outcome %+v", i, item, outcomes[i])
				}
			}
		})
	}
}

func TestAStandingItemMakesDuplicates(t *testing.T) {
	t.Parallel()
	for n, calls := range map[int]int{1: 2, 100: 4} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			d.acceptNew(n, "ada", start)
			b, subs := d.newBatch(n, "ada", start.Add(time.Second))
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
			for i, item := range d.readItems(b.ID, start) {
				if item.Status != contract.Deduplicated || item.SubmissionID != subs[i].ID.String() {
					t.Errorf("item %d: got %+v; want its own id, deduplicated", i, item)
				}
			}
		})
	}
}

func TestDuplicatesAmongNewItems(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.acceptNew(60, "ada", start)
	b, subs := d.newBatch(100, "ada", start)
	for i, o := range d.mustAccept(b, subs) {
		want := contract.Queued
		if i < 60 {
			want = contract.Deduplicated
		}
		if o.Status != want || (o.WakeUp.Body == "") != (want == contract.Deduplicated) {
			t.Errorf("item %d: got %+v, want %s", i, o, want)
		}
	}
}

func TestWhatMakesADuplicate(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.acceptOne("ada", start)
	for name, c := range map[string]struct {
		change func(*submission.Submission)
		want   contract.ItemStatus
	}{
		"the same candidate":       {func(*submission.Submission) {}, contract.Deduplicated},
		"another name":             {func(s *submission.Submission) { s.Name = "Ada B. Example" }, contract.Deduplicated},
		"another agency":           {func(s *submission.Submission) { s.AgencyID = "agy_2" }, contract.Queued},
		"another environment":      {func(s *submission.Submission) { s.Environment = "test" }, contract.Queued},
		"another owner":            {func(s *submission.Submission) { s.OwnerID = "mem_2" }, contract.Queued},
		"another e-mail":           {func(s *submission.Submission) { s.Email = "b@example.com" }, contract.Queued},
		"another LinkedIn profile": {func(s *submission.Submission) { s.LinkedInURL += "-b" }, contract.Queued},
	} {
		b, subs := d.newBatch(1, "ada", start)
		c.change(&subs[0])
		if got := d.mustAccept(b, subs)[0].Status; got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestIdenticalSubmissionsAtOnce(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	statuses := make([]contract.ItemStatus, 50)
	var group sync.WaitGroup
	for i := range statuses {
		group.Go(func() {
			b, subs := d.newBatch(1, "ada", start)
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

func TestAnItemPastItsDeadlineGivesWay(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	old, wakeUp := d.acceptOne("ada", start)
	c := d.mustClaim(wakeUp, old.Deadline.Add(-2*time.Minute))

	b, subs := d.newBatch(1, "ada", old.Deadline.Add(-time.Millisecond))
	if got := d.mustAccept(b, subs)[0].Status; got != contract.Deduplicated {
		t.Fatalf("before the deadline: got %s", got)
	}
	fresh, _ := d.acceptOne("ada", old.Deadline)
	d.wantItem(old, old.Deadline, contract.Failed, contract.IngestTimedOut)
	if err := d.succeedAt(c, old.Deadline); err == nil {
		t.Error("the worker of the item that gave way succeeded")
	}
	must(t, d.Fail(context.Background(), c, contract.ResumeParseFailed, "late", old.Deadline))
	d.wantItem(fresh, old.Deadline, contract.Queued, "")
	d.wantItem(old, old.Deadline, contract.Failed, contract.IngestTimedOut)
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
		"every call happens twice": {sendTwice(write), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t, c.hook)
			b, subs := d.newBatch(3, "ada", start)
			outcomes, err := d.Accept(context.Background(), b, subs)
			if !errors.Is(err, c.err) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if err != nil {
				outcomes = d.mustAccept(b, subs)
			}
			for i, o := range outcomes {
				if o.Status != contract.Queued || o.WakeUp.Body == "" {
					t.Errorf("item %d: got %+v; want it queued", i, o)
				}
			}
		})
	}
}

// SQS accepts groups of at most 128 characters, which is also the greatest length of an agency's id.
func TestTheLongestAgencyIDFitsAGroup(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for _, environment := range []string{tenant.Live, "test"} {
		b, subs := d.newBatch(1, "ada", start)
		subs[0].AgencyID = strings.Repeat("a", 128)
		subs[0].Environment = environment
		if group := d.mustAccept(b, subs)[0].WakeUp.Group; group != subs[0].AgencyID {
			t.Errorf("%s: got the group %q of %d characters", environment, group, len(group))
		}
	}
}
