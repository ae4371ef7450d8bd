package submission_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// recorded lets the store record in a feed of its own, whose clock is a minute ahead, and returns the feed.
func (d *testStore) recorded() *changefeed.Feed {
	return d.recordedBy(func() time.Time { return start.Add(time.Minute) })
}

func (d *testStore) recordedBy(clock func() time.Time) *changefeed.Feed {
	_, changes := cloudtest.Database(d.t, topology.Changes)
	feed := changefeed.New(d.db.Table(changes.Name()), d.db.WriteTx, clock)
	d.Feed = feed
	return feed
}

// TestFailuresAreRecorded fails unless the feed has one change of each submission that failed, however that came, and none of others.
func TestFailuresAreRecorded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	late := start.Add(settings.Timeout)
	for name, test := range map[string]struct {
		end  func(d *testStore, s submission.Submission, wakeUp string)
		code contract.SubmissionError
		at   time.Time
	}{
		"nothing happens": {func(*testStore, submission.Submission, string) {}, "", start},
		"it succeeds": {func(d *testStore, s submission.Submission, wakeUp string) {
			must(d.t, d.succeedAt(d.mustClaim(wakeUp, start), start)) // recorded with the membership
		}, "", start},
		"a worker fails": {func(d *testStore, s submission.Submission, wakeUp string) {
			must(d.t, d.Fail(ctx, d.mustClaim(wakeUp, start), contract.ResumeParseFailed, "unreadable", start.Add(time.Second)))
		}, contract.ResumeParseFailed, start.Add(time.Second)},
		"a late worker fails": {func(d *testStore, s submission.Submission, wakeUp string) {
			c := d.mustClaim(wakeUp, start)
			d.mustClaim(wakeUp, start.Add(lease))
			must(d.t, d.Fail(ctx, c, contract.ResumeParseFailed, "unreadable", start.Add(lease)))
		}, "", start},
		"its last attempt fails": {func(d *testStore, s submission.Submission, wakeUp string) {
			must(d.t, d.exhaust(ctx, d.mustClaim(wakeUp, start), start.Add(time.Second)))
		}, contract.InternalError, start.Add(time.Second)},
		"it times out": {func(d *testStore, s submission.Submission, _ string) { d.sweepAt(late.Add(time.Minute)) }, contract.IngestTimedOut, late},
		"it is replaced": {func(d *testStore, s submission.Submission, _ string) {
			d.acceptNew(1, "ada", late.Add(time.Minute))
		}, contract.IngestTimedOut, late},
		"it is refused": {func(d *testStore, s submission.Submission, _ string) {
			_, err := d.FailEnqueue(ctx, s, start.Add(time.Second))
			must(d.t, err)
		}, contract.EnqueueFailed, start.Add(time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			feed := d.recorded()
			b, subs := d.newBatch(1, "ada", start)
			subs[0].ClientReferenceID = "ref"
			test.end(d, subs[0], d.mustAccept(b, subs)[0].WakeUp.Body)
			var want []changefeed.Change
			if test.code != "" {
				want = []changefeed.Change{{
					Number: 1, Type: contract.SubmissionFailed, At: test.at.UnixMilli(), BatchID: b.ID.String(), SubmissionID: subs[0].ID.String(),
					ReferredItem: 1, Status: "failed", ErrorCode: test.code,
				}}
			}
			page, err := feed.Read(ctx, subs[0].Tenant(), changefeed.Position{}, 10, nil)
			must(t, err)
			if diff := cmp.Diff(want, page.Changes); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAReplacedItemThatEndsFailsOnce lets an item past its deadline be replaced while the sweeper ends it.
func TestAReplacedItemThatEndsFailsOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	var d *testStore
	writes := 0
	isReplacing := false
	d = newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" && isReplacing {
			writes++
			if writes == 2 { // the first one finds what is to be replaced
				isReplacing = false
				d.sweepAt(start.Add(settings.Timeout + 59*time.Second))
			}
		}
		return send()
	})
	var ticks atomic.Int64
	feed := d.recordedBy(func() time.Time { return start.Add(settings.Timeout + time.Duration(ticks.Add(1))*time.Second) })
	b, subs := d.newBatch(1, "ada", start)
	d.mustAccept(b, subs)
	isReplacing = true
	d.acceptNew(1, "ada", start.Add(settings.Timeout+time.Minute))
	page, err := feed.Read(ctx, subs[0].Tenant(), changefeed.Position{}, 10, nil)
	must(t, err)
	if len(page.Changes) != 1 || page.Changes[0].SubmissionID != subs[0].ID.String() || isReplacing {
		t.Errorf("got %+v after %d writes, want one failure", page.Changes, writes)
	}
}

func TestTheChangeOfASuccess(t *testing.T) {
	t.Parallel()
	_, subs := newTestStore(t).newBatch(1, "ada", start)
	subs[0].ClientReferenceID = "ref"
	want := changefeed.Change{
		Type: contract.SubmissionSucceeded, At: start.UnixMilli(), BatchID: subs[0].BatchID.String(), SubmissionID: subs[0].ID.String(),
		ReferredItem: 1, CandidateUserID: "cu_1", Status: "succeeded",
	}
	if diff := cmp.Diff(want, subs[0].SuccessChange("cu_1", start)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
