package roleindex

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestFewSegmentsAndFewMerges fails unless, after a thousand overlays, the changes are in at most twelve segments, each change was merged at
// most twelve times on average, and the newest state of each role is shown.
func TestFewSegmentsAndFewMerges(t *testing.T) {
	t.Parallel()
	const overlays, each, roles = 1_000, 3, 2_000
	view := openTestIndex(t).View()
	merged := 0
	for n := range overlays {
		changes := map[string]*Doc{}
		for i := range each {
			id := fmt.Sprint("role-", (n*each+i)%roles)
			changes[id] = &Doc{ID: id, UpdatedAt: time.UnixMilli(int64(n + 1))}
		}
		view = view.Overlay(changes)
		merged += view.segments[len(view.segments)-1].n
		if got := len(view.segments) - 1; got > 12 {
			t.Fatalf("%d segments of changes after %d overlays", got, n+1)
		}
	}
	for i := range roles {
		last := i + roles
		if last >= overlays*each {
			last = i
		}
		if row, ok := view.findRow(fmt.Sprint("role-", i)); !ok || row.UpdatedAt != int64(last/each+1) {
			t.Errorf("role-%d: got state %d, want %d", i, row.UpdatedAt, last/each+1)
		}
	}
	if merged > 12*overlays*each {
		t.Errorf("%d merges of %d changes", merged, overlays*each)
	}
}

// TestOverlayDropsReplacedStates fails unless roles that change again and again take the memory of their last states.
func TestOverlayDropsReplacedStates(t *testing.T) {
	t.Parallel()
	const roles = 10
	view := openTestIndex(t).View()
	for n := range 500 {
		id := fmt.Sprint("role-", n%roles)
		view = view.Overlay(map[string]*Doc{id: {ID: id, Name: "Engineer"}})
		kept := 0
		for _, s := range view.segments {
			kept += s.n
		}
		if kept > 3*roles {
			t.Fatalf("%d states of %d roles are kept after %d changes", kept, roles, n+1)
		}
	}
}

// TestLargeSegmentsAreKept fails if segments of changes are merged into one of more than maxFolded roles.
func TestLargeSegmentsAreKept(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t).View()
	const segments, each = 3, maxFolded * 2 / 3
	const roles = segments * each
	for part := range segments {
		changes := map[string]*Doc{}
		for i := range each {
			id := fmt.Sprint("role-", part, "-", i)
			changes[id] = &Doc{ID: id}
		}
		view = view.Overlay(changes)
	}
	if got := len(view.segments) - 1; got != segments || view.countRoles() != roles {
		t.Errorf("got %d segments of %d roles, want %d of %d", got, view.countRoles(), segments, roles)
	}
}

// TestOverlayIndexesDescriptions fails unless the words of descriptions are indexed when a change is merged, so that no search has to.
func TestOverlayIndexesDescriptions(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t).View().Overlay(map[string]*Doc{"a": {ID: "a", Description: "Builds ledgers."}})
	if got := view.segments[1].lexicons[proseText].terms.len(); got != 2 {
		t.Errorf("got %d words, want 2", got)
	}
}

// TestRebaseIsTheModel fails unless a view of changes on another base shows the changed roles as the changes have them, but for those that
// are dropped, and all others as the other base has them.
func TestRebaseIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawDocs := func(label string) (docs []Doc) {
			for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(roleIDs), 0, 8, rapid.ID).Draw(t, label) {
				docs = append(docs, drawDoc(t, id))
			}
			return docs
		}
		view := joinParts(t, drawDocs("base"), rapid.IntRange(1, 3).Draw(t, "parts"))
		next := drawDocs("next base")
		shown := map[string]Doc{}
		for _, d := range next {
			shown[d.ID] = d
		}
		changed := map[string]bool{}
		dropped := rapid.SliceOfDistinct(rapid.SampledFrom(roleIDs), rapid.ID).Draw(t, "dropped")
		for range rapid.IntRange(0, 5).Draw(t, "overlays") {
			changes := map[string]*Doc{}
			for _, d := range drawDocs("changed") {
				changes[d.ID] = &d
				if rapid.Bool().Draw(t, "deleted") {
					changes[d.ID] = nil
				}
				if slices.Contains(dropped, d.ID) {
					continue
				}
				changed[d.ID] = true
				shown[d.ID] = d
				if changes[d.ID] == nil {
					delete(shown, d.ID)
				}
			}
			view = view.Overlay(changes)
		}
		view = view.Rebase(joinParts(t, next, rapid.IntRange(1, 3).Draw(t, "next parts")), maps.Keys(changed), dropped)
		comparePages(t, view, model(slices.Collect(maps.Values(shown))), drawQuery(t))
		newest := drawDoc(t, drawID(t, "newest"))
		shown[newest.ID] = newest
		comparePages(t, view.Overlay(map[string]*Doc{newest.ID: &newest}), model(slices.Collect(maps.Values(shown))), drawQuery(t))
	})
}
