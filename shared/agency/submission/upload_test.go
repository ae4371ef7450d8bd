package submission_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const day = 24 * time.Hour

// TestTheSameBytesAgain fails unless the same bytes lead to the upload that exists, which is stored again with the time of a later sending,
// to the same one with a new period on its last day, and to a new one when it is over.
func TestTheSameBytesAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		after                       time.Duration
		isSame, isStored, isRenewed bool
	}{
		"at once":                      {0, true, false, false},
		"a moment later":               {time.Minute - time.Millisecond, true, false, false},
		"later":                        {time.Minute, true, true, false},
		"before the last day":          {29*day - time.Millisecond, true, true, false},
		"when the last day begins":     {29 * day, true, true, true},
		"at the end of the last day":   {30*day - time.Millisecond, true, true, true},
		"when the time is over":        {30 * day, false, true, true},
		"when the record may be there": {39 * day, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			first := d.upload(newUpload(start))
			now := start.Add(test.after)
			u := newUpload(now)
			got, existing, err := d.FindUpload(t.Context(), u)
			must(t, err)
			want := first
			if !test.isSame {
				want = u
			}
			if test.isStored {
				want.SentAt = now.UnixMilli()
			}
			if test.isRenewed {
				want.ExpiresAt = now.Add(30 * day).UnixMilli()
			}
			if diff := cmp.Diff(want, got); diff != "" || existing == test.isStored {
				t.Errorf("existing %t; (-want +got):\n%s", existing, diff)
			}
			if !existing {
				stored, err := d.CommitUpload(t.Context(), got)
				if diff := cmp.Diff(got, stored); diff != "" || err != nil {
					t.Errorf("stored: %v (-want +got):\n%s", err, diff)
				}
			}
			d.wantUpload(got)
		})
	}
}

// upload stores an upload as a request does.
func (d *testStore) upload(u submission.Upload) submission.Upload {
	d.t.Helper()
	u, existing, err := d.FindUpload(d.t.Context(), u)
	if must(d.t, err); existing {
		d.t.Fatalf("%s exists already", u.ID)
	}
	u, err = d.CommitUpload(d.t.Context(), u)
	must(d.t, err)
	return u
}

// wantUpload fails unless the id leads to the upload, and its items are kept for ten days after its end.
func (d *testStore) wantUpload(want submission.Upload) {
	d.t.Helper()
	found, err := d.FindUploads(d.t.Context(), agency, []uuid.UUID{want.ID, uuid.New()})
	must(d.t, err)
	if diff := cmp.Diff(map[uuid.UUID]submission.Upload{want.ID: want}, found); diff != "" {
		d.t.Errorf("by its id (-want +got):\n%s", diff)
	}
	var items []struct {
		ID  string `dynamo:"id"`
		TTL int64  `dynamo:"ttl"`
	}
	must(d.t, d.table.Scan().Filter("'id' = ?", want.ID.String()).All(d.t.Context(), &items))
	for _, item := range items {
		if ttl := time.UnixMilli(want.ExpiresAt).Add(10 * day).Unix(); item.TTL != ttl {
			d.t.Errorf("kept until %d, want %d", item.TTL, ttl)
		}
	}
	if len(items) != 2 {
		d.t.Errorf("got %d items, want two", len(items))
	}
}

// TestTheSameBytesAtOnce fails unless the second of two requests gets the upload of the first one, also where it is stored again.
func TestTheSameBytesAtOnce(t *testing.T) {
	t.Parallel()
	for name, begun := range map[string]time.Time{"new": start, "sent again": start.Add(day), "renewed": start.Add(29 * day)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			if name != "new" {
				d.upload(newUpload(start))
			}
			var found [2]submission.Upload
			for i := range found {
				var err error
				found[i], _, err = d.FindUpload(t.Context(), newUpload(begun.Add(time.Duration(i)*time.Second)))
				must(t, err)
			}
			first, err := d.CommitUpload(t.Context(), found[0])
			must(t, err)
			second, err := d.CommitUpload(t.Context(), found[1])
			must(t, err)
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("(-first +second):\n%s", diff)
			}
			d.wantUpload(first)
		})
	}
}

// TestUploadsOfOthers fails if an upload is found by another tenant, or without an id.
func TestUploadsOfOthers(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	u := d.upload(newUpload(start))
	d.calls.Reset()
	for name, ids := range map[string][]uuid.UUID{"agy_2": {u.ID}, agency: nil} {
		if found, err := d.FindUploads(t.Context(), tenant.ID(name), ids); err != nil || found == nil || len(found) != 0 {
			t.Errorf("%s finds %v, %v", name, found, err)
		}
	}
	if calls := d.calls.Reset(); len(calls) != 1 {
		t.Errorf("made the calls %v, want one", calls)
	}
}

// TestStatesOfAnUpload fails unless a failed reading holds for the submissions from before it, and not for later ones.
func TestStatesOfAnUpload(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	u := d.upload(newUpload(start))
	read := start.Add(time.Hour)
	sub := submission.Submission{AgencyID: agency, Environment: "live", UploadID: u.ID, SubmittedAt: start}
	none := submission.Submission{AgencyID: agency, Environment: "live", SubmittedAt: start}
	must(t, d.MarkUnreadable(t.Context(), none, "none", read))
	d.wantState("before the reading", sub, uploadState{})
	must(t, d.MarkUnreadable(t.Context(), sub, "broken", read))
	for _, test := range []struct {
		name      string
		submitted time.Time
		want      uploadState
	}{
		{"before", start, uploadState{Unreadable: "broken"}},
		{"at the same time", read, uploadState{Unreadable: "broken"}},
		{"later", read.Add(time.Millisecond), uploadState{}},
	} {
		sub.SubmittedAt = test.submitted
		d.wantState(test.name, sub, test.want)
	}
	d.wantState("without an upload", none, uploadState{})
	must(t, d.table.Delete(topology.PK, "U#"+agency+"#"+u.ID.String()).Range(topology.SK, "U").Run(t.Context()))
	d.wantState("erased", sub, uploadState{Erased: true})
}

// uploadState is what became of a submission's upload.
type uploadState struct {
	Erased     bool
	Unreadable string
}

func (d *testStore) wantState(name string, sub submission.Submission, want uploadState) {
	d.t.Helper()
	var got uploadState
	var err error
	got.Erased, got.Unreadable, err = d.UploadState(d.t.Context(), sub)
	if err != nil || got != want {
		d.t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
	}
}
