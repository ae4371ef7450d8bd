package submission_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestAFileThatCannotBeRemoved fails unless the error of one file is reported, all others are removed, and the file is tried again.
func TestAFileThatCannotBeRemoved(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	var removed []string
	stuck := "none"
	d.Discard = func(_ context.Context, key string) error {
		if key == stuck {
			return errCut
		}
		if key != "" { // there is no file that was sent
			removed = append(removed, key)
		}
		return nil
	}
	var want []string
	for _, who := range []string{"ada", "bob", "cyd"} {
		sub, wakeUp := d.acceptOne(who, start)
		d.mustClaim(wakeUp, start)
		want = append(want, sub.CopyKey())
	}
	_, _, err := sweepWakeUps(submission.NewStore(d.table, d.db.WriteTx, settings), start.Add(settings.Timeout)) // removes no files
	must(t, err)
	due := start.Add(settings.Timeout + 10*time.Minute)
	stuck = want[0]
	if _, _, err := sweepWakeUps(d.Store, due); !errors.Is(err, errCut) {
		t.Errorf("got %v, want %v", err, errCut)
	}
	stuck = "none"
	_, _, err = sweepWakeUps(d.Store, due)
	must(t, err)
	slices.Sort(removed)
	slices.Sort(want)
	removed = slices.Compact(removed)
	if !slices.Equal(removed, want) {
		t.Errorf("removed %v, want %v", removed, want)
	}
}

// TestBrokenItemsAreErrors fails if a batch is read, or listed, of which an item cannot be decoded.
func TestBrokenItemsAreErrors(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"a batch of one": 1, "a batch of two": 2} {
		for _, attribute := range []string{"created", "updated"} { // of the header, and of a row
			t.Run(name+", "+attribute, func(t *testing.T) {
				t.Parallel()
				d := newTestStore(t)
				subs, wakeUps := d.acceptNew(size, "ada", start)
				d.mustClaim(wakeUps[0], start)
				kind := map[string]string{"created": "H", "updated": "R#000"}[attribute]
				must(t, d.table.Update(topology.PK, "B#"+subs[0].BatchID.String()).Range(topology.SK, kind).Set(attribute, "x").Run(t.Context()))
				if batch, _, err := d.ReadBatch(t.Context(), agency, subs[0].BatchID, start); err == nil {
					t.Errorf("read %+v", batch)
				}
				if page, _, err := d.ListBatches(t.Context(), agency, "", 10, start); err == nil {
					t.Errorf("listed %+v", page)
				}
			})
		}
	}
}
