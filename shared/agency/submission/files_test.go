package submission_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The worker that ends an item removes its files; one that lost its claim leaves the
// uploaded file to the worker that holds it.
func TestFilesAreRemovedWithTheirItem(t *testing.T) {
	t.Parallel()
	const copied, sent = "resumes", "uploads"
	fail := func(d *testStore, c submission.Claim, at time.Time) {
		must(d.t, d.Fail(context.Background(), c, contract.ResumeParseFailed, "unreadable", at))
	}
	for name, tt := range map[string]struct {
		uploaded bool
		do       func(d *testStore, wakeUp string)
		want     []string
	}{
		"a worker fails":                  {false, func(d *testStore, wakeUp string) { fail(d, d.mustClaim(wakeUp, start), start) }, []string{copied, sent}},
		"a worker fails with an upload":   {true, func(d *testStore, wakeUp string) { fail(d, d.mustClaim(wakeUp, start), start) }, []string{copied}},
		"the sweeper times it out":        {false, func(d *testStore, _ string) { d.sweepAt(start.Add(settings.Timeout)) }, []string{sent}},
		"the sweeper times an upload out": {true, func(d *testStore, _ string) { d.sweepAt(start.Add(settings.Timeout)) }, nil},
		"a worker died, the sweeper times it out": {false, func(d *testStore, wakeUp string) {
			d.mustClaim(wakeUp, start)
			d.sweepAt(start.Add(settings.Timeout))
		}, []string{copied, sent}},
		"the last attempt fails": {false, func(d *testStore, wakeUp string) {
			must(d.t, d.exhaust(context.Background(), d.mustClaim(wakeUp, start), start))
		}, []string{copied, sent}},
		"a late worker fails": {false, func(d *testStore, wakeUp string) {
			late := d.mustClaim(wakeUp, start)
			d.mustClaim(wakeUp, start.Add(lease))
			fail(d, late, start.Add(lease))
		}, nil},
		"another submission replaces what a dead worker had": {false, func(d *testStore, wakeUp string) {
			d.mustClaim(wakeUp, start)
			d.acceptOne("ada", start.Add(settings.Timeout))
			d.sweepAt(start.Add(settings.Timeout + time.Minute)) // too early
			d.sweepAt(start.Add(settings.Timeout + time.Hour))
			d.sweepAt(start.Add(settings.Timeout + time.Hour))
		}, []string{copied, sent}},
		"it is given back": {false, func(d *testStore, wakeUp string) {
			must(d.t, d.Requeue(context.Background(), d.mustClaim(wakeUp, start), start, time.Minute))
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			d := newTestStore(t)
			d.Discard = func(_ context.Context, key string) error {
				folder, _, _ := strings.Cut(key, "/")
				got = append(got, folder)
				return nil
			}
			b, subs := d.newBatch(1, "ada", start)
			subs[0].ResumeKey = subs[0].UploadKey()
			if tt.uploaded {
				subs[0].UploadID = uuid.Must(uuid.NewV7())
			}
			tt.do(d, d.mustAccept(b, subs)[0].WakeUp.Body)
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files removed (-want +got):\n%s", diff)
			}
		})
	}
}

// A process that dies when it has ended an item leaves a disposal of the copy.
func TestDisposalAfterDeath(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	sub, wakeUp := d.acceptOne("ada", start)
	d.mustClaim(wakeUp, start)
	d.Discard = func(context.Context, string) error { return errors.New("the process died") }
	if _, _, err := sweepWakeUps(d.Store, start.Add(settings.Timeout)); err == nil {
		t.Error("the sweep reports no death")
	}
	var got []string
	d.Discard = func(_ context.Context, key string) error { got = append(got, key); return nil }
	due := start.Add(settings.Timeout + 10*time.Minute) // a worker may still write the copy before
	if d.sweepAt(due.Add(-time.Millisecond)); got != nil {
		t.Errorf("%v were removed while a worker may write them", got)
	}
	for range 2 {
		d.sweepAt(due)
	}
	if diff := cmp.Diff([]string{sub.CopyKey(), sub.ResumeKey}, got); diff != "" {
		t.Errorf("files removed (-want +got):\n%s", diff)
	}
}

// TestTheFileOfARefusedSubmission fails unless a disposal names the file that came with a single submit which the queue refused, whether or
// not it had a reference, and no file that was uploaded before.
func TestTheFileOfARefusedSubmission(t *testing.T) {
	t.Parallel()
	upload := uuid.Must(uuid.NewV7())
	for name, of := range map[string]submission.Submission{
		"nothing else": {}, "a reference": {ClientReferenceID: erasedReference}, "an upload": {UploadID: upload},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			var got []string
			d.Discard = func(_ context.Context, key string) error { got = append(got, key); return nil }
			b, subs := d.newBatch(1, "ada", start)
			sub := &subs[0]
			sub.ResumeKey = sub.UploadKey()
			sub.ClientReferenceID = of.ClientReferenceID
			sub.UploadID = of.UploadID
			outcomes := d.mustAccept(b, subs)
			must(t, d.EndRefused(t.Context(), subs, outcomes, []int{0}))
			d.sweepAt(start.Add(10 * time.Minute))
			want := []string{sub.CopyKey(), sub.ResumeKey}
			if sub.UploadID != uuid.Nil {
				want = want[:1]
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("files removed (-want +got):\n%s", diff)
			}
		})
	}
}
