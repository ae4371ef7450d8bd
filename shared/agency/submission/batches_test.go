package submission_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// listBatches reads all pages and returns the summaries of each.
func (d *testStore) listBatches(limit int, now time.Time) (pages [][]contract.BatchSummary) {
	d.t.Helper()
	after := ""
	for {
		page, next, err := d.ListBatches(d.t.Context(), agency, after, limit, now)
		must(d.t, err)
		pages = append(pages, page)
		if next == "" {
			return pages
		}
		if !submission.ValidBatchPosition(next) {
			d.t.Fatalf("%q is no position", next)
		}
		after = next
	}
}

// TestCountsOfBatches fails unless the list has each batch with what a poll of it says at that time: newest first, and the reference of a
// batch of one.
func TestCountsOfBatches(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	other, subs := d.newBatch(1, "other", start)
	other.Tenant = "agy_2"
	subs[0].AgencyID = "agy_2"
	d.mustAccept(other, subs)
	many := d.acceptInAllStates()
	one, subs := d.newBatch(1, "ended", start.Add(time.Second))
	subs[0].ClientReferenceID = "ref-ended"
	must(t, d.succeedAt(d.mustClaim(d.mustAccept(one, subs)[0].WakeUp.Body, start), start))
	queued, subs := d.newBatch(1, "queued", start.Add(time.Minute))
	subs[0].ClientReferenceID = "ref-queued"
	d.mustAccept(queued, subs)
	empty, _ := d.newBatch(1, "empty", start.Add(time.Hour))
	d.mustAccept(empty, nil)

	summary := func(b submission.Batch, c contract.BatchCounts, reference string) contract.BatchSummary {
		return contract.BatchSummary{
			BatchID: b.ID.String(), CreatedAt: contract.At(b.CreatedAt), ItemCount: b.ItemCount, Counts: c, ClientReferenceID: reference,
		}
	}
	for _, test := range []struct {
		at           time.Time
		counts, last contract.BatchCounts
	}{
		{start, contract.BatchCounts{Queued: 2, Processing: 1, Succeeded: 1, Failed: 1, Deduplicated: 1}, contract.BatchCounts{Queued: 1}},
		{start.Add(settings.Timeout), contract.BatchCounts{Succeeded: 1, Failed: 4, Deduplicated: 1}, contract.BatchCounts{Queued: 1}},
		{start.Add(settings.Timeout + time.Minute), contract.BatchCounts{Succeeded: 1, Failed: 4, Deduplicated: 1}, contract.BatchCounts{Failed: 1}},
	} {
		want := []contract.BatchSummary{
			summary(empty, contract.BatchCounts{}, ""), summary(queued, test.last, "ref-queued"),
			summary(one, contract.BatchCounts{Succeeded: 1}, "ref-ended"), summary(many, test.counts, ""),
		}
		for _, limit := range []int{1, 2, 3, 4, 5} {
			if diff := cmp.Diff(want, slices.Concat(d.listBatches(limit, test.at)...)); diff != "" {
				t.Errorf("pages of %d at %v (-want +got):\n%s", limit, test.at, diff)
			}
		}
	}
	d.calls.Reset()
	d.listBatches(10, start)
	if calls := d.calls.Reset(); len(calls) != 4 {
		t.Errorf("made the calls %v: want the list, the batches of one, the batch of several and the one without an item", calls)
	}
}

// acceptInAllStates accepts a batch with an item in every state and one more in the queue, and a reference of each.
func (d *testStore) acceptInAllStates() submission.Batch {
	d.t.Helper()
	b, subs := d.newBatch(6, "ada", start)
	for i := range subs {
		subs[i].ClientReferenceID = "ref"
	}
	subs[5].LinkedInURL = subs[3].LinkedInURL
	outcomes := d.mustAccept(b, subs)
	d.mustClaim(outcomes[0].WakeUp.Body, start)
	must(d.t, d.succeedAt(d.mustClaim(outcomes[1].WakeUp.Body, start), start))
	must(d.t, d.exhaust(context.Background(), d.mustClaim(outcomes[2].WakeUp.Body, start), start))
	return b
}

// TestPagesOfBatches fails unless a page has at most limit batches and at most 2,000 items, or one batch.
func TestPagesOfBatches(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		items []int // of each batch, newest first
		limit int
		want  []int // batches on each page
	}{
		"none":                   {nil, 2, []int{0}},
		"a page":                 {[]int{1, 1}, 2, []int{2}},
		"a page and one":         {[]int{1, 1, 1}, 2, []int{2, 1}},
		"2,000 items":            {[]int{1000, 1000, 1}, 3, []int{2, 1}},
		"2,001 items":            {[]int{1000, 1001, 1}, 3, []int{1, 2}},
		"one of more than 2,000": {[]int{2001, 1}, 3, []int{1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			var want []string
			for _, items := range slices.Backward(test.items) {
				b, _ := d.newBatch(1, "ada", start)
				b.ItemCount = items
				d.mustAccept(b, nil)
				want = slices.Insert(want, 0, b.ID.String())
			}
			var sizes []int
			var got []string
			for _, page := range d.listBatches(test.limit, start) {
				sizes = append(sizes, len(page))
				for _, b := range page {
					got = append(got, b.BatchID)
				}
			}
			if !slices.Equal(sizes, test.want) || !slices.Equal(got, want) {
				t.Errorf("got pages of %v: %v; want %v: %v", sizes, got, test.want, want)
			}
		})
	}
}

// TestBatchesAreListedFor90Days fails unless a batch is in the list as long as it can be read.
func TestBatchesAreListedFor90Days(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	s, _ := d.acceptOne("ada", start)
	end := start.Add(90 * 24 * time.Hour)
	for at, want := range map[time.Time]int{end.Add(-time.Second): 1, end: 0} {
		_, _, err := d.ReadBatch(t.Context(), agency, s.BatchID, at)
		if got := d.listBatches(10, at); len(got[0]) != want || (err == nil) != (want == 1) {
			t.Errorf("at %v: got %d batches in the list, read: %v; want %d", at, len(got[0]), err, want)
		}
	}
}

func TestPositionsInTheListOfBatches(t *testing.T) {
	t.Parallel()
	id := uuid.Must(uuid.NewV7()).String()
	for text, want := range map[string]bool{id: true, "": false, "x": false, id + "0": false, "urn:uuid:" + id: false, "{" + id + "}": false} {
		if got := submission.ValidBatchPosition(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

// A batch of one whose item a later attempt accepted is counted as a poll of it shows it.
func TestABatchThatALaterAttemptFilledIsCounted(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	b, subs := d.newBatch(1, "again", start)
	subs[0].ClientReferenceID = "ref-again"
	d.mustAccept(b, nil) // no candidate of it was fit
	wakeUp := d.mustAccept(b, subs)[0].WakeUp.Body
	check := func(want contract.BatchCounts) {
		t.Helper()
		page := d.listBatches(10, start)[0]
		if diff := cmp.Diff(want, page[0].Counts); diff != "" || page[0].ClientReferenceID != "ref-again" {
			t.Errorf("reference %q, counts (-want +got):\n%s", page[0].ClientReferenceID, diff)
		}
	}
	check(contract.BatchCounts{Queued: 1})
	d.mustClaim(wakeUp, start)
	check(contract.BatchCounts{Processing: 1})
}

// TestABatchWhoseHeaderIsNotVisibleYet fails unless a batch of one is counted as it is when a read that may be a moment old has the item's
// row and not the header, which is older.
func TestABatchWhoseHeaderIsNotVisibleYet(t *testing.T) {
	t.Parallel()
	var d *testStore
	var hide func(ctx context.Context, send func() error) error
	d = newTestStore(t, func(ctx context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "BatchGetItem" && hide != nil {
			return hide(ctx, send)
		}
		return send()
	})
	s, wakeUp := d.acceptOne("ada", start)
	d.mustClaim(wakeUp, start)
	hide = func(ctx context.Context, send func() error) error {
		var header dynamo.Item
		pk := "B#" + s.BatchID.String()
		must(t, d.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, "H").One(ctx, &header))
		must(t, d.table.Delete(topology.PK, pk).Range(topology.SK, "H").Run(ctx))
		err := send()
		must(t, d.table.Put(header).Run(ctx))
		return err
	}
	page := d.listBatches(10, start)[0]
	if diff := cmp.Diff(contract.BatchCounts{Processing: 1}, page[0].Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
