package submission_test

import (
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// TestARefusedItemEndsWithItsDuplicates fails unless the items whose wake-up messages were refused fail with those that were collapsed onto them, and
// no others, also if all is repeated.
func TestARefusedItemEndsWithItsDuplicates(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	feed := d.recorded()
	b, subs := d.newBatch(5, "ada", start)
	subs[1].LinkedInURL = subs[0].LinkedInURL
	subs[4].LinkedInURL = subs[3].LinkedInURL // 1 is 0 again, and 4 is 3
	queued := contract.Queued
	duplicate := contract.Deduplicated
	failed := contract.Failed
	outcomes := d.mustAccept(b, subs)
	d.wantStatuses(b, outcomes, queued, duplicate, queued, queued, duplicate)
	d.mustClaim(outcomes[2].WakeUp.Body, start) // it was delivered all the same
	must(t, d.EndRefused(t.Context(), subs, outcomes, []int{0, 2}))
	d.wantStatuses(b, outcomes, failed, failed, queued, queued, duplicate)
	repeated := d.mustAccept(b, subs)
	d.wantStatuses(b, repeated, failed, failed, contract.Processing, queued, duplicate)
	must(t, d.EndRefused(t.Context(), subs, repeated, []int{0, 2}))
	d.wantStatuses(b, repeated, failed, failed, contract.Processing, queued, duplicate)
	page, err := feed.Read(t.Context(), subs[0].Tenant(), changefeed.Position{}, 10, nil)
	must(t, err)
	var ids []string
	for _, c := range page.Changes {
		ids = append(ids, c.SubmissionID)
	}
	want := []string{subs[0].ID.String(), subs[1].ID.String()}
	if slices.Sort(ids); !slices.Equal(ids, slices.Sorted(slices.Values(want))) {
		t.Errorf("the feed has the failures of %v, want %v", ids, want)
	}
}

// wantStatuses fails unless the outcomes have these statuses, and a poll says failed of those that failed.
func (d *testStore) wantStatuses(b submission.Batch, outcomes []submission.Outcome, want ...contract.ItemStatus) {
	d.t.Helper()
	items := d.readItems(b.ID, start)
	for i, o := range outcomes {
		isFailed := want[i] == contract.Failed
		if o.Status != want[i] || o.EnqueueFailed() != isFailed || (items[i].Status == contract.Failed) != isFailed {
			d.t.Errorf("item %d: got %+v, read %+v; want %s", i, o, items[i], want[i])
		}
		if isFailed && (items[i].ErrorCode != contract.EnqueueFailed || items[i].ErrorMessage == "") {
			d.t.Errorf("item %d: got the error %q, %q", i, items[i].ErrorCode, items[i].ErrorMessage)
		}
	}
}
