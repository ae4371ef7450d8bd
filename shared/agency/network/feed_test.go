package network_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// recorded lets the store record in a feed of its own, and returns the feed.
func (d testStore) recorded(now func() time.Time) *changefeed.Feed {
	_, changes := cloudtest.Database(d.t, topology.Changes)
	feed := changefeed.New(d.db.Table(changes.Name()), d.db.WriteTx, now)
	d.Feed = feed
	return feed
}

// TestChangesAreRecorded fails unless the feed has what each write changes for a caller, and nothing of a write that changes nothing.
func TestChangesAreRecorded(t *testing.T) {
	t.Parallel()
	clock := cloudtest.NewClock(start)
	d := newTestStore(t)
	feed := d.recorded(clock.Now)
	id := candidateID(1)
	set := func(change func(m network.Membership, w network.Write) error) func(time.Time) {
		return func(now time.Time) {
			must(t, change(d.mustMembership(id), network.Write{Now: now, ID: now.String()}))
		}
	}
	locked := func(on bool) func(time.Time) {
		return set(func(m network.Membership, w network.Write) error { _, err := d.SetLocked(ctx, m, on, w); return err })
	}
	fastTrack := set(func(m network.Membership, w network.Write) error {
		_, err := d.SetFastTrack(ctx, m, true, w)
		return err
	})
	prefer := set(func(m network.Membership, w network.Write) error {
		_, err := d.SetPreferences(ctx, m, contract.WorkPreferences{SalaryMin: 7}, w)
		return err
	})
	off := func(now time.Time) { d.offMarket(now, emailReference("a")) }
	reEnable := func(now time.Time) {
		_, err := d.ReEnable(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, network.Write{Now: now, ID: now.String()})
		must(t, err)
	}
	sweep := func(now time.Time) {
		expire, _ := d.NewSweep(now)
		_, err := expire(ctx, func() bool { return true })
		must(t, err)
	}
	const days = 24 * time.Hour
	var p changefeed.Position
	for _, step := range []struct {
		name  string
		after time.Duration
		do    func(now time.Time)
		want  []changefeed.Change // Type and Status; At, in case it is not that of the step
	}{
		{"it is added", 0, func(now time.Time) { d.mustIngest(newCandidate("ada", "a"), id, now) }, candidateChanges(contract.CandidateAdded, "on_market")},
		{"other preferences", 1 * days, prefer, candidateChanges(contract.PreferencesChanged, "")},
		{"the same preferences", 2 * days, prefer, nil},
		{"fast track", 3 * days, fastTrack, candidateChanges(contract.FastTrackChanged, "")},
		{"fast track again", 4 * days, fastTrack, nil},
		{"off the market", 5 * days, off, candidateChanges(contract.MarketChanged, "off_market")},
		{"off the market again", 6 * days, off, nil},
		{"locked", 7 * days, locked(true), nil},
		{"unlocked", 8 * days, locked(false), nil},
		{"on the market", 9 * days, reEnable, candidateChanges(contract.MarketChanged, "on_market")},
		{"its time is over", 100 * days, sweep, []changefeed.Change{{Type: contract.MarketChanged, Status: "expired", At: start.Add(99 * days).UnixMilli()}}},
		{"swept again", 101 * days, sweep, nil},
		{"erased", 102 * days, func(now time.Time) {
			_, _, err := d.EraseMembership(ctx, id, now, func(context.Context, network.Membership) error { return nil })
			must(t, err)
		}, candidateChanges(contract.CandidateRemoved, "")},
	} {
		now := start.Add(step.after)
		clock.Set(now)
		step.do(now)
		page, err := feed.Read(ctx, "agy_1", p, 10, nil)
		must(t, err)
		p = page.Next
		for i := range step.want {
			step.want[i].CandidateUserID = id
			if step.want[i].At == 0 {
				step.want[i].At = now.UnixMilli()
			}
		}
		for i := range page.Changes {
			page.Changes[i].Number = 0
		}
		if diff := cmp.Diff(step.want, page.Changes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

// A removal replaces no change of the same millisecond that nobody has read.
func TestARemovalIsAnotherChange(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	feed := d.recorded(func() time.Time { return start })
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	for n := range 2 {
		_, err := d.SetFastTrack(ctx, d.mustMembership(candidateID(1)), n == 0, network.Write{Now: start.Add(time.Duration(n+1) * time.Second), ID: fmt.Sprint(n)})
		must(t, err)
	}
	_, _, err := d.EraseMembership(ctx, candidateID(1), start, forgetNothing)
	must(t, err)
	page, err := feed.Read(ctx, "agy_1", changefeed.Position{}, 10, nil)
	if must(t, err); len(page.Changes) != 4 {
		t.Errorf("got %+v; want that it was added, twice changed, and removed", page.Changes)
	}
}

func candidateChanges(of contract.ChangeType, status contract.ChangeStatus) []changefeed.Change {
	return []changefeed.Change{{Type: of, Status: status}}
}

// TestAnIngestionRecordsMore fails unless the changes and the writes that a unit of work brings are committed with its own.
func TestAnIngestionRecordsMore(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	feed := d.recorded(func() time.Time { return start })
	c := newCandidate("ada", "a")
	more := changefeed.Change{Type: contract.SubmissionSucceeded, At: 1, SubmissionID: "s"}
	w := network.Write{Now: start, ID: "1", Changes: []changefeed.Change{more}}
	must(t, d.Ingest(d.db.WriteTx(), c, d.mustPlace(c, candidateID(1)), w).Run(ctx))
	page, err := feed.Read(ctx, "agy_1", changefeed.Position{}, 10, nil)
	must(t, err)
	more.Number = 2
	want := []changefeed.Change{{Number: 1, Type: contract.CandidateAdded, At: start.UnixMilli(), CandidateUserID: candidateID(1), Status: "on_market"}, more}
	if diff := cmp.Diff(want, page.Changes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
