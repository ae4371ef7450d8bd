package changefeed_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Long backlogs are read in full, page by page, by type or not, by a reader who begins at once and
// by one who begins a month later; no tenant reads another's.
func TestPagesOfABacklog(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	const entries = 250
	for n := range entries {
		e := newEntry(fmt.Sprintf("%03d", n), start.Add(time.Duration(n)*time.Second))
		e.Changes = append(e.Changes, changefeed.Change{Type: contract.CandidateAdded, CandidateUserID: fmt.Sprint("cu_", n), Status: "on_market"})
		f.must(f.record(agency, e))
	}
	f.must(f.record("agy_1", newEntry("of another environment", start)))
	f.Move(changefeed.Retention) // the first entry is a month old
	read := func(limit int, types ...contract.ChangeType) (seen []changefeed.Change) {
		var p changefeed.Position
		for {
			page, err := f.Read(context.Background(), agency, p, limit, types)
			f.must(err)
			seen = append(seen, page.Changes...)
			p, _ = changefeed.ParsePosition(agency, page.Next.Format(agency))
			if p != page.Next || p.Expired(f.Clock.Now()) {
				t.Fatalf("%+v is expired", page.Next)
			}
			if !page.More {
				return seen
			}
			if len(page.Changes) > limit {
				t.Fatalf("%d changes on a page of %d", len(page.Changes), limit)
			}
		}
	}
	for _, limit := range []int{7, 100, 500} {
		all := read(limit)
		failed := read(limit, contract.SubmissionFailed)
		if len(all) != 2*entries || len(failed) != entries {
			t.Fatalf("pages of %d: got %d and %d changes", limit, len(all), len(failed))
		}
		for n, c := range failed {
			if c.SubmissionID != fmt.Sprintf("%03d", n) || c.Number != int64(2*n+1) || all[2*n] != c {
				t.Fatalf("%d: got %+v", n, c)
			}
		}
	}
}

// From the latest position on, a reader sees what is committed later, even after a long backlog
// that was never read.
func TestLatest(t *testing.T) {
	t.Parallel()
	for _, backlog := range []int{0, 3, 120} {
		t.Run(fmt.Sprint(backlog), func(t *testing.T) {
			t.Parallel()
			f := newTestFeed(t)
			for n := range backlog {
				f.must(f.commit(fmt.Sprint("old-", n), start))
			}
			f.Move(time.Hour)
			position, err := f.findLatest()
			f.must(err)
			f.must(f.commit("slow", start)) // made before, committed now
			f.must(f.commit("new", f.Clock.Now()))
			ids, _, more, err := f.readAfter(position, 10)
			if f.must(err); more || !slices.Equal(ids, []string{"slow", "new"}) {
				t.Errorf("got %v, %t", ids, more)
			}
		})
	}
}

// A segment can be visible before an earlier one is. Then nothing is read, and the position stays
// before the earlier one.
func TestASegmentThatIsNotVisibleYet(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	first, err := f.findLatest()
	f.must(err)
	position := first
	for n := range 3 { // each is read, and so becomes a segment
		f.must(f.commit(fmt.Sprint("change-", n), start))
		_, position, _, err = f.readAfter(position, 10)
		f.must(err)
	}
	var segments []dynamo.Item
	f.must(f.table.Get(topology.PK, "A#"+string(agency)).Range(topology.SK, dynamo.BeginsWith, "S#").All(t.Context(), &segments))
	if len(segments) != 3 {
		t.Fatalf("got %d segments, want 3", len(segments))
	}
	hidden := segments[0]
	f.must(f.table.Delete(topology.PK, hidden[topology.PK]).Range(topology.SK, hidden[topology.SK]).Run(t.Context()))
	ids, next, more, err := f.readAfter(first, 10)
	f.must(err)
	if len(ids) != 0 || !more || next != first {
		t.Errorf("while it is not visible: got %v, more %t, next %q; want nothing, more, and %q again", ids, more, next, first)
	}
	f.must(f.table.Put(hidden).Run(t.Context()))
	ids, _, _, err = f.readAfter(first, 10)
	if err != nil || !slices.Equal(ids, []string{"change-0", "change-1", "change-2"}) {
		t.Errorf("when it is visible: got %v, %v", ids, err)
	}
}

// TestExpiredSegmentsGoInAnyOrder fails unless a reader from the oldest change finds what is kept while one of the expired
// segments before it is deleted, and an older one is not, and one after it neither.
func TestExpiredSegmentsGoInAnyOrder(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	position, err := f.findLatest()
	f.must(err)
	add := func(id string) {
		f.must(f.commit(id, f.Clock.Now()))
		_, position, _, err = f.readAfter(position, 10)
		f.must(err)
	}
	for n := range 4 {
		add(fmt.Sprint("expired-", n))
	}
	f.Move(changefeed.Retention + 25*time.Hour)
	position, err = f.findLatest()
	f.must(err)
	for n := range 3 {
		add(fmt.Sprint("kept-", n))
	}
	var segments []dynamo.Item
	f.must(f.table.Get(topology.PK, "A#"+string(agency)).Range(topology.SK, dynamo.BeginsWith, "S#").All(t.Context(), &segments))
	for _, n := range []int{1, 3} {
		f.must(f.table.Delete(topology.PK, segments[n][topology.PK]).Range(topology.SK, segments[n][topology.SK]).Run(t.Context()))
	}
	ids, _, more, err := f.readAfter("", 10)
	if want := []string{"kept-0", "kept-1", "kept-2"}; err != nil || more || !slices.Equal(ids, want) {
		t.Errorf("got %v, more %t, %v; want %v", ids, more, err, want)
	}
}

// A position expires when changes after it may have been deleted. One that is used does not, nor
// does that of a reader who waits and polls while nothing happens.
func TestPositionsExpire(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	f.must(f.commit("first", f.Clock.Now()))
	first, err := f.Read(context.Background(), agency, changefeed.Position{}, 10, nil)
	f.must(err)
	f.Move(changefeed.Retention - time.Minute)
	if first.Next.Expired(f.Clock.Now()) {
		t.Error("the position expires while changes are kept")
	}
	polled, err := f.Read(context.Background(), agency, first.Next, 10, nil)
	f.must(err)
	f.Move(2 * time.Hour)
	if !first.Next.Expired(f.Clock.Now()) || polled.Next.Expired(f.Clock.Now()) {
		t.Errorf("expired: %t, once polled %t", first.Next.Expired(f.Clock.Now()), polled.Next.Expired(f.Clock.Now()))
	}
	if ids, _, _, err := f.readAfter("", 10); err != nil || len(ids) != 0 {
		t.Errorf("from the oldest that is kept: got %v, %v", ids, err)
	}
	f.must(f.commit("second", f.Clock.Now()))
	if ids, _, _, err := f.readAfter("", 10); err != nil || !slices.Equal(ids, []string{"second"}) {
		t.Errorf("got %v, %v", ids, err)
	}
}

// A position is read back as it was written, by its tenant only.
func TestPositionsAreTheTenants(t *testing.T) {
	t.Parallel()
	p := changefeed.Position{Segment: 7, Skip: 3, At: 1_790_000_000_000, From: 5}
	if got, ok := changefeed.ParsePosition(agency, p.Format(agency)); !ok || got != p {
		t.Errorf("got %+v, %t", got, ok)
	}
	for _, text := range []string{"", "1", p.Format("agy_1"), p.Format(agency) + ".1", changefeed.Position{}.Format(agency), "x.1.0.0.0"} {
		if got, ok := changefeed.ParsePosition(agency, text); ok {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}
