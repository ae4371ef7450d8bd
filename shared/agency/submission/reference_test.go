package submission_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// ReferencesOf finds the reference of each change's item, also of one that only a later attempt
// accepted, and makes no call where no submission has one.
func TestReferencesOfChanges(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	b, subs := d.newBatch(60, "ada", start)
	for _, i := range []int{0, 7, 55} {
		subs[i].ClientReferenceID = fmt.Sprint("ats-", i)
	}
	d.mustAccept(b, []submission.Submission{subs[0], subs[8]})
	d.mustAccept(b, subs)
	var changes []changefeed.Change
	var want []string
	for i, sub := range subs[:56] {
		c := changefeed.Change{BatchID: b.ID.String()}
		if sub.ClientReferenceID != "" {
			c.ReferredItem = i + 1
		}
		changes, want = append(changes, c), append(want, sub.ClientReferenceID)
	}
	got, err := d.ReferencesOf(t.Context(), changes)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	d.calls.Reset()
	got, err = d.ReferencesOf(t.Context(), changes[1:7])
	if diff := cmp.Diff(make([]string, 6), got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if calls := d.calls.Reset(); len(calls) > 0 {
		t.Errorf("got the calls %q, want none", calls)
	}
}

// An erasure that comes between the links of a duplicate and its commit finds the reference when it
// comes again.
func TestAnErasureBeforeTheCommitOfADuplicate(t *testing.T) {
	t.Parallel()
	var d *testStore
	var erased atomic.Int32
	var hash string
	erase := func() {
		erasure := submission.Erasure{At: start, Now: start, Drop: func(context.Context, string) error { return nil }}
		must(t, d.EraseEnded(context.Background(), hash, erasure))
		erased.Add(1)
	}
	d = newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" && erased.Load() == 0 {
			erase()
		}
		return send()
	})
	b, subs := d.newBatch(2, "ada", start)
	subs[1].Email, subs[1].LinkedInURL = subs[0].Email, subs[0].LinkedInURL
	subs[1].ClientReferenceID = erasedReference
	hash = identity.Hash(subs[1].Email)
	d.mustAccept(b, subs)
	if got := d.readItems(b.ID, start)[1].ClientReferenceID; got != erasedReference || erased.Load() != 1 {
		t.Fatalf("after %d erasures the committed item has the reference %q", erased.Load(), got)
	}
	erase()
	if got := d.readItems(b.ID, start)[1].ClientReferenceID; got != "" {
		t.Errorf("the reference %q is left", got)
	}
}
