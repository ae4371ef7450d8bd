package submission_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// An erasure ends what is queued of a person, files first, waits for what a worker
// holds, and leaves other persons' and what was accepted later.
func TestErase(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	queued, _ := d.acceptOne("ada", start)
	held, hint := d.acceptOne("grace", start)
	later, _ := d.acceptOne("later", start.Add(time.Hour+time.Millisecond))
	other, _ := d.acceptOne("other", start)
	d.mustClaim(hint, start.Add(time.Hour))

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
