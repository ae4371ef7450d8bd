package submission_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// An erasure ends what is queued of a person, files first, waits for what a worker
// holds, and leaves other persons' and what was accepted later.
func TestErase(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	queued, _ := d.acceptOne("ada", start)
	held, wakeUp := d.acceptOne("grace", start)
	later, _ := d.acceptOne("later", start.Add(time.Hour+time.Millisecond))
	other, _ := d.acceptOne("other", start)
	d.mustClaim(wakeUp, start.Add(time.Hour))

	var dropped []string
	erase := func(now time.Time) (int, error) {
		return d.Erase(t.Context(), submission.Erasure{
			Of: func(s submission.Submission) bool { return s.Email != other.Email },
			At: start.Add(time.Hour), Now: now,
			Drop:   func(_ context.Context, key string) error { dropped = append(dropped, key); return nil },
			Forget: func(context.Context, submission.Submission) error { return nil },
		})
	}
	if n, err := erase(start.Add(time.Hour)); n != 1 || !errors.Is(err, submission.ErrHeld) {
		t.Errorf("%d ended, %v; want 1 and the held one told", n, err)
	}
	if n, err := erase(start.Add(time.Hour + lease)); n != 1 || err != nil {
		t.Errorf("when the lease is over: %d ended, %v; want the held one", n, err)
	}
	if n, err := erase(start.Add(2 * time.Hour)); n != 0 || err != nil {
		t.Errorf("once more: %d ended, %v", n, err)
	}
	for _, sub := range []submission.Submission{queued, held} {
		item := d.readItems(sub.BatchID, start)[0]
		if item.Status != contract.Failed || item.ErrorCode != contract.InvalidResumeReference {
			t.Errorf("got %+v", item)
		}
	}
	for _, sub := range []submission.Submission{later, other} {
		if item := d.readItems(sub.BatchID, start)[0]; item.Status != contract.Queued {
			t.Errorf("another's or a later one: %+v", item)
		}
	}
	want := []string{
		queued.CopyKey(), "uploads/" + agency + "/.", held.CopyKey(), "uploads/" + agency + "/.",
	}
	if diff := cmp.Diff(want, dropped); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// erasedReference is the client reference of a submission that is erased.
const erasedReference = "ada@example.com"

// An erasure by either identity finds upload and client reference of an item that has ended, however
// it ended, and also the reference of one without an upload. It leaves nothing that leads to the
// person. What was submitted later stays.
// TestAnErasureFindsItemsThatMove fails if an item that a worker claims while an erasure reads others, and that is due
// earlier from then on, is passed over: its person would be taken for erased.
func TestAnErasureFindsItemsThatMove(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.acceptInShard(150, "other", start) // more than are read at a time
	subs, wakeUps := d.acceptInShard(1, "ada", start.Add(time.Second))
	claimed := false
	_, err := d.Erase(t.Context(), submission.Erasure{
		Of: func(s submission.Submission) bool {
			if !claimed {
				claimed = true
				d.mustClaim(wakeUps[0], start.Add(time.Second))
			}
			return s.Email == subs[0].Email
		},
		At: start.Add(time.Hour), Now: start.Add(2 * time.Second),
		Drop:   func(context.Context, string) error { return nil },
		Forget: func(context.Context, submission.Submission) error { return nil },
	})
	if !errors.Is(err, submission.ErrHeld) {
		t.Errorf("got %v, want %v", err, submission.ErrHeld)
	}
}

func TestAnErasureFindsWhatAnEndedItemLeft(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, end := range map[string]func(d *testStore, sub submission.Submission, wakeUp string){
		"a worker fails": func(d *testStore, _ submission.Submission, wakeUp string) {
			must(d.t, d.Fail(ctx, d.mustClaim(wakeUp, start), contract.ResumeParseFailed, "unreadable", start))
		},
		"the sweeper times it out": func(d *testStore, _ submission.Submission, _ string) { d.sweepAt(start.Add(settings.Timeout)) },
		"the queue refuses it": func(d *testStore, sub submission.Submission, _ string) {
			ended, err := d.FailEnqueue(ctx, sub, start)
			if must(d.t, err); !ended {
				d.t.Error("it has not ended")
			}
		},
		"another submission replaces it": func(d *testStore, _ submission.Submission, _ string) {
			_, wakeUps := d.acceptNew(1, "ada", start.Add(settings.Timeout))
			must(d.t, d.succeedAt(d.mustClaim(wakeUps[0], start.Add(settings.Timeout)), start.Add(settings.Timeout)))
		},
		"a newer resume replaces it": func(d *testStore, sub submission.Submission, wakeUp string) {
			must(d.t, d.Succeed(d.db.WriteTx(), d.mustClaim(wakeUp, start), "cu_1", sub.CopyKey(), start).Run(ctx))
		},
	} {
		for _, of := range []func(submission.Submission) string{
			func(s submission.Submission) string { return s.Email }, func(s submission.Submission) string { return s.LinkedInURL },
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t)
				b, subs := d.newBatch(1, "ada", start)
				subs[0].ResumeKey = subs[0].UploadKey()
				subs[0].ClientReferenceID = erasedReference
				end(d, subs[0], d.mustAccept(b, subs)[0].WakeUp.Body)
				d.checkEndedErased(subs[0].UploadKey(), identity.Hash(of(subs[0])))
			})
			t.Run(name+", with an upload", func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t)
				u := d.upload(newUpload(start))
				b, subs := d.newBatch(1, "ada", start)
				subs[0].ResumeKey = u.Key()
				subs[0].UploadID = u.ID
				subs[0].ClientReferenceID = erasedReference
				end(d, subs[0], d.mustAccept(b, subs)[0].WakeUp.Body)
				d.checkEndedErased(u.Key(), identity.Hash(of(subs[0])))
			})
		}
	}
}

// checkEndedErased checks that an erasure before the submission leaves everything, and that one after
// it removes the file, the reference and all items that lead to them.
func (d *testStore) checkEndedErased(file, hash string) {
	d.t.Helper()
	ctx := context.Background()
	var dropped []string
	erase := func(at time.Time) {
		must(d.t, d.EraseEnded(ctx, hash, submission.Erasure{
			At: at, Drop: func(_ context.Context, key string) error { dropped = append(dropped, key); return nil },
		}))
	}
	if erase(start.Add(-time.Second)); len(dropped) > 0 {
		d.t.Errorf("an erasure before the submission drops %q", dropped)
	}
	erase(start)
	if diff := cmp.Diff([]string{file}, dropped); diff != "" {
		d.t.Errorf("files (-want +got):\n%s", diff)
	}
	var items []map[string]any
	must(d.t, d.table.Scan().All(ctx, &items))
	for _, item := range items {
		kind := item["sk"].(string)
		if kind == "U" || kind == "F" || strings.HasPrefix(item["pk"].(string), "P#") || strings.Contains(fmt.Sprintf("%s", item), erasedReference) {
			d.t.Errorf("%s is left", item)
		}
	}
}

// An erasure that is applied late leaves an upload that was sent again after it, whichever way leads to the upload, and ends what was
// submitted before.
func TestALateErasureLeavesWhatWasSentAgain(t *testing.T) {
	t.Parallel()
	const again = 6 * day
	for name, erase := range map[string]func(d *testStore, sub submission.Submission, wakeUp string, e submission.Erasure){
		"from a membership": func(d *testStore, sub submission.Submission, wakeUp string, e submission.Erasure) {
			must(d.t, d.succeedAt(d.mustClaim(wakeUp, start), start))
			must(d.t, d.EraseSource(d.t.Context(), agency, sub.CopyKey(), e))
		},
		"from an ended item": func(d *testStore, sub submission.Submission, wakeUp string, e submission.Erasure) {
			must(d.t, d.exhaust(d.t.Context(), d.mustClaim(wakeUp, start), start))
			must(d.t, d.EraseEnded(d.t.Context(), identity.Hash(sub.Email), e))
		},
		"from an in-flight item": func(d *testStore, _ submission.Submission, _ string, e submission.Erasure) {
			n, err := d.Erase(d.t.Context(), e)
			if must(d.t, err); n != 1 {
				d.t.Errorf("%d ended, want one", n)
			}
		},
	} {
		for at, isLeft := range map[time.Duration]bool{again - time.Millisecond: true, again: false} {
			t.Run(fmt.Sprintf("%s, at %v", name, at), func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t)
				first := d.upload(newUpload(start))
				b, subs := d.newBatch(1, "ada", start)
				subs[0].ResumeKey = first.Key()
				subs[0].UploadID = first.ID
				wakeUp := d.mustAccept(b, subs)[0].WakeUp.Body
				if last := d.upload(newUpload(start.Add(again))); last.ID != first.ID {
					t.Errorf("got the upload %s, want %s again", last.ID, first.ID)
				}
				var dropped []string
				e := erasureOf(subs[0])
				e.At = start.Add(at)
				e.Now = start.Add(again + time.Hour)
				e.Drop = func(_ context.Context, key string) error { dropped = append(dropped, key); return nil }
				erase(d, subs[0], wakeUp, e)
				found, err := d.FindUploads(t.Context(), agency, []uuid.UUID{first.ID})
				must(t, err)
				if slices.Contains(dropped, first.Key()) == isLeft || (len(found) == 1) != isLeft {
					t.Errorf("dropped %q, found %v; want it left: %t", dropped, found, isLeft)
				}
			})
		}
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
	subs[1].Email = subs[0].Email
	subs[1].LinkedInURL = subs[0].LinkedInURL
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
