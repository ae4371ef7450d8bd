package system_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// itemStatuses returns the statuses of a response's items, in order.
func itemStatuses(out contract.BulkResponse) (all []string) {
	for _, item := range out.Items {
		all = append(all, string(item.Status))
	}
	return all
}

// batchRows returns a batch's rows as "index status code".
func (sys *testSystem) batchRows(batchID string) (all []string) {
	sys.t.Helper()
	for _, item := range sys.readBatch(demo.AgencyID, batchID).Items {
		all = append(all, strings.TrimSpace(fmt.Sprint(item.Index, " ", item.Status, " ", item.ErrorCode)))
	}
	return all
}

// Items of one person collapse onto the first valid one; each has its own row.
func TestBulkCollapse(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t)
	key := s.newAgencyKey()
	upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
	unfit := newAdaItem("x")
	first := newAdaItem(upload)
	again := newAdaItem(upload)
	other := newAdaItem(upload)
	third := newAdaItem(upload)
	again.Email = strings.ToUpper(again.Email)
	again.Name = "Ada B. Example"
	other.RecruiterEmail = new(demo.MemberEmail)
	third.LinkedInURL = "https://uk.linkedin.com/in/ada-0/"
	out := s.submitBulk(key, newBulkRequest(unfit, first, again, other, third))
	if diff := cmp.Diff([]string{"rejected", "queued", "deduplicated", "queued", "deduplicated"}, itemStatuses(out)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 queued", "2 deduplicated", "3 queued", "4 deduplicated"}, s.batchRows(out.BatchID)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	ids := map[string]bool{}
	for _, item := range out.Items[1:] {
		ids[item.SubmissionID] = true
	}
	if len(ids) != 4 {
		t.Errorf("got the submission ids %v; want four", ids)
	}
	if later := s.submitBulk(key, newBulkRequest(first, again)); !slices.Equal(itemStatuses(later), []string{"deduplicated", "deduplicated"}) {
		t.Errorf("in the next request: got %v; want deduplicated", itemStatuses(later))
	}
	s.advanceClock(5 * time.Hour) // past the time-out, sweeper or not
	if later := s.submitBulk(s.newAgencyKey(), newBulkRequest(first, again)); !slices.Equal(itemStatuses(later), []string{"queued", "deduplicated"}) {
		t.Errorf("after the time-out: got %v; want a fresh attempt", itemStatuses(later))
	}
}

// refusing is a hook that fails the sending of some messages.
type refusing struct {
	// from is the first message refused, as seen counts them, and count is how many.
	from, count, seen int64
}

func (r *refusing) Hook(_ context.Context, call cloud.Call, send func() error) error {
	in, ok := call.Input.(*sqs.SendMessageBatchInput)
	if !ok {
		return send()
	}
	first := atomic.AddInt64(&r.seen, int64(len(in.Entries))) - int64(len(in.Entries))
	if first >= r.from && first < r.from+r.count {
		return errFinal
	}
	return send()
}

// An item that the queue refuses is rejected and has its own row, as have the items
// collapsed onto it; the stored response says so, too.
func TestBulkQueueRefuses(t *testing.T) {
	t.Parallel()
	s := newManualSystem(t, (&refusing{count: 1}).Hook)
	key := s.newAgencyKey()
	upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
	in := newBulkRequest(newAdaItem(upload), newAdaItem(upload), newBulkItem(1, "x"), newAdaItem(upload))
	r := s.sendRequest("POST", bulkPath, key, encodeBody(t, in), "Idempotency-Key", "one")
	out := decodeBulkResponse(t, r)
	if diff := cmp.Diff([]string{"rejected", "rejected", "rejected", "rejected"}, itemStatuses(out)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	for _, i := range []int{0, 1, 3} {
		item := out.Items[i]
		if diff := cmp.Diff([]string{"- enqueue_failed"}, rejectionCodes(item)); diff != "" || item.SubmissionID == "" {
			t.Errorf("item %d: got %+v (-want +got):\n%s", i, item, diff)
		}
	}
	if diff := cmp.Diff([]string{"0 failed enqueue_failed", "1 failed enqueue_failed", "3 failed enqueue_failed"}, s.batchRows(out.BatchID)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if replay := s.sendRequest("POST", bulkPath, key, encodeBody(t, in), "Idempotency-Key", "one"); replay.body != r.body {
		t.Errorf("the replay: got %s; want %s", replay.body, r.body)
	}
	s.checkNothingPending()
	// The queue is back: the same people start afresh.
	if again := s.submitBulk(key, in); again.Items[0].Status != contract.BulkQueued {
		t.Errorf("afterwards: got %v; want the first queued", itemStatuses(again))
	}
}

// If the queue refuses an item and ending the item fails as well, its state is unknown: the
// request fails, and the retry, whose wake-up message the queue takes, finds the item queued.
func TestBulkQueueRefusesAndSoDoesTheDatabase(t *testing.T) {
	t.Parallel()
	fault := &faultInjector{}
	s := newManualSystem(t, (&refusing{count: 1}).Hook, fault.Hook)
	key := s.newAgencyKey()
	fault.injectAt(matchNth("TransactWriteItems", 3), callFaults["fails before"]) // upload, batch, end
	item := newPriyaItem(0, s.uploadResume(key, readPriyaResume(t)).ResumeFileID)
	submit := func() reply {
		return s.sendRequest("POST", bulkPath, key, encodeBody(t, newBulkRequest(item)), "Idempotency-Key", "one")
	}
	if r := submit(); r.status != 500 || fault.isPending() {
		t.Fatalf("got %d %s; want 500", r.status, r.body)
	}
	r := submit()
	out := decodeBulkResponse(t, r)
	if out.Items[0].Status != contract.BulkQueued {
		t.Fatalf("got %s; want it queued", r.body)
	}
	if replay := submit(); replay.body != r.body {
		t.Errorf("the replay: got %s; want %s", replay.body, r.body)
	}
	s.runWorkers()
	checkItem(t, s.readBatch(demo.AgencyID, out.BatchID).Items[0], contract.Succeeded, "")
}

// If the row of an item that was collapsed onto a refused one cannot be written, the
// request fails instead of calling it a duplicate, and a retry returns both.
func TestBulkQueueRefusesAndACollapsedRowFails(t *testing.T) {
	t.Parallel()
	fault := &faultInjector{}
	s := newManualSystem(t, (&refusing{count: 1}).Hook, fault.Hook)
	key := s.newAgencyKey()
	item := newAdaItem(s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID)
	in := encodeBody(t, newBulkRequest(item, item))
	fault.injectAt(matchNth("UpdateItem", 2), callFaults["fails before"]) // gate, the row
	if r := s.sendRequest("POST", bulkPath, key, in, "Idempotency-Key", "one"); r.status != 500 || fault.isPending() {
		t.Fatalf("got %d %s; want the failure told", r.status, r.body)
	}
	out := decodeBulkResponse(t, s.sendRequest("POST", bulkPath, key, in, "Idempotency-Key", "one"))
	if diff := cmp.Diff([]string{"rejected", "rejected"}, itemStatuses(out)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"0 failed enqueue_failed", "1 failed enqueue_failed"}, s.batchRows(out.BatchID)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// For any mix of valid, invalid, repeated and pending items, any of whose messages are
// refused, the response equals that of a simple model of the contract.
func TestBulkMixes(t *testing.T) {
	t.Parallel()
	queue := &refusing{}
	s := newManualSystem(t, queue.Hook)
	key := s.newAgencyKey()
	upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
	live := map[int]bool{}
	people := 0
	rapid.Check(t, func(rt *rapid.T) {
		if rapid.IntRange(0, 9).Draw(rt, "new people") == 0 {
			people += 40
		}
		s.advanceClock(time.Minute) // a fresh rate window
		down := rapid.IntRange(0, 3).Draw(rt, "queue down") == 0
		queue.from = atomic.LoadInt64(&queue.seen)
		queue.count = map[bool]int64{true: 1 << 40}[down]
		n := rapid.IntRange(1, 100).Draw(rt, "items")
		var in contract.BulkRequest
		var want []string
		var rows int
		outcome := map[int]string{}
		for range n {
			who := people + rapid.IntRange(0, 39).Draw(rt, "who")
			item := newBulkItem(who, upload)
			status := "deduplicated"
			switch first, known := outcome[who]; {
			case rapid.IntRange(0, 4).Draw(rt, "unfit") == 0:
				item.Email = "ada"
				status = "rejected"
				rows--
			case known && first == "rejected":
				status = "rejected" // it shares the first one's enqueue_failed
			case known:
			case !live[who]:
				status = map[bool]string{true: "rejected", false: "queued"}[down]
				outcome[who] = status
				live[who] = !down
			default:
				outcome[who] = status
			}
			in.Items = append(in.Items, item)
			want = append(want, status)
			rows++
		}
		out := s.submitBulk(key, in)
		if diff := cmp.Diff(want, itemStatuses(out)); diff != "" {
			rt.Fatalf("answer (-want +got):\n%s", diff)
		}
		batch := s.readBatch(demo.AgencyID, out.BatchID)
		if batch.ItemCount != n || len(batch.Items) != rows {
			rt.Fatalf("got %d rows of %d items; want %d of %d", len(batch.Items), batch.ItemCount, rows, n)
		}
		for _, item := range batch.Items {
			answer := out.Items[item.Index]
			if failed := item.ErrorCode == contract.EnqueueFailed; answer.SubmissionID != item.SubmissionID || failed != (answer.Status == contract.BulkRejected) {
				rt.Fatalf("got the row %+v for %+v", item, answer)
			}
		}
	})
	alive := 0
	for _, is := range live {
		alive += map[bool]int{true: 1}[is]
	}
	if stored := len(s.storedItems(topology.Submissions, "L#")); stored != alive {
		t.Errorf("got %d in-flight items; want %d", stored, alive)
	}
}
