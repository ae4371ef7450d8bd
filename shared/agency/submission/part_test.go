package submission_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// pickSubs are the submissions of these indexes.
func pickSubs(subs []submission.Submission, indexes []int) (some []submission.Submission) {
	for _, i := range indexes {
		some = append(some, subs[i])
	}
	return some
}

// Attempts at one batch, one after the other or at once, that find different
// items fit: each item that one of them found fit is there, once, as it was first
// accepted, and every attempt is told so of its own.
func TestAttemptsThatDiffer(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	fit := rapid.Custom(func(rt *rapid.T) []int {
		all := rapid.SliceOfNDistinct(rapid.IntRange(0, 99), 0, 30, rapid.ID).Draw(rt, "indexes")
		slices.Sort(all)
		return all
	})
	rapid.Check(t, func(rt *rapid.T) {
		b, subs := d.newBatch(100, rapid.StringMatching(`[a-z]{20}`).Draw(rt, "who"), start)
		attempts := rapid.SliceOfN(fit, 1, 4).Draw(rt, "attempts")
		atOnce := rapid.Bool().Draw(rt, "at once")
		union := map[int]bool{}
		var group sync.WaitGroup
		for _, indexes := range attempts {
			attempt := func() {
				outcomes, err := d.Accept(context.Background(), b, pickSubs(subs, indexes))
				if err != nil {
					t.Error(err)
				}
				for n, o := range outcomes {
					if o.Status != contract.Queued || o.WakeUp.Body == "" {
						t.Errorf("item %d: got %+v, want it queued", indexes[n], o)
					}
				}
			}
			for _, i := range indexes {
				union[i] = true
			}
			if atOnce {
				group.Go(attempt)
			} else {
				attempt()
			}
		}
		group.Wait()
		items := d.readItems(b.ID, start)
		for _, item := range items {
			if !union[item.Index] || item.SubmissionID != subs[item.Index].ID.String() || item.Status != contract.Queued {
				rt.Fatalf("got %+v", item)
			}
		}
		if len(items) != len(union) || !slices.IsSortedFunc(items, func(a, b contract.BatchItem) int { return a.Index - b.Index }) {
			rt.Fatalf("got %d items for %d, or not in order", len(items), len(union))
		}
		wakeUps, _ := d.sweepAt(start.Add(settings.Resend))
		if len(wakeUps) != len(union) {
			rt.Fatalf("%d in-flight items for %d", len(wakeUps), len(union))
		}
		d.sweepAt(start.Add(settings.Timeout)) // nothing is left for the next check
	})
}

// What is not of the batch is an error, before anything is written.
func TestASubmissionOfAnotherBatch(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	b, subs := d.newBatch(2, "ada", start)
	subs[1].Index = 5
	if _, err := d.Accept(context.Background(), b, subs); err == nil || len(d.calls.Reset()) != 0 {
		t.Errorf("got %v, want an error and no call", err)
	}
}
