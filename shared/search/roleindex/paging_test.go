package roleindex

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestOrderKey(t *testing.T) {
	t.Parallel()
	at := func(rank int, posted time.Time, id string) uint64 {
		return (&Doc{BrowseRank: rank, PostedAt: posted, ID: id}).OrderKey()
	}
	far := time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		why         string
		first, then uint64
	}{
		{"higher rank", at(8191, time.Time{}, "a"), at(8190, far, "a")},
		{"newer hour", at(5, start.Add(time.Hour), "a"), at(5, start, "a")},
		{"known before unknown", at(5, start, "a"), at(5, time.Time{}, "a")},
		{"nothing before 0", 0, at(99_999, far, "a")},
		{"53 bits", at(-5, time.Time{}, "a"), 1 << 53},
	} {
		if tt.first >= tt.then {
			t.Errorf("%s: %d is not before %d", tt.why, tt.first, tt.then)
		}
	}
	if at(5, start, "a") != at(5, start.Add(29*time.Minute), "a") {
		t.Error("minutes count")
	}
	if got, want := at(7, start, "0190f1f2"), uint64(8998986437187581); got != want {
		t.Errorf("key %d, want %d: cursors that were given out have moved", got, want)
	}
}

// TestPagingOverChanges holds that every role that does not change while a list is read
// page by page, each page from another view, comes exactly once and in order.
func TestPagingOverChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := make([]Doc, 40)
		for i := range docs {
			name := []string{"Engineer", "Engineering", "The Engineer"}[i%3]
			docs[i] = Doc{ID: fmt.Sprint("role-", i), Name: name, Company: "Engineer"[:i%2*8], BrowseRank: i % 3, PostedAt: start.Add(time.Duration(i%5) * time.Hour)}
		}
		docs = append(docs, docsSharingKeys()...)
		base, err := Open(Build(byID(docs...)))
		if err != nil {
			t.Fatal(err)
		}
		view := base.View()
		q := Query{
			Text: "enginer", Limit: rapid.IntRange(1, 7).Draw(t, "limit"), Sort: rapid.SampledFrom([]Order{BrowseOrder, RelevanceOrder}).Draw(t, "sort"),
		}
		seen := map[string]int{}
		changed := map[string]bool{}
		for n, more := 1, true; more; n++ {
			page := view.Search(q)
			for _, r := range page.Rows {
				if q.Sort.Position(r) <= q.After {
					t.Fatalf("%s at %d comes after %d", r.ID, q.Sort.Position(r), q.After)
				}
				seen[r.ID]++
			}
			more = page.More
			if more {
				q.After = q.Sort.Position(page.Rows[len(page.Rows)-1])
			}
			changes := drawChanges(t, docs, n, changed)
			view = view.Overlay(changes)
			if rapid.IntRange(0, 3).Draw(t, "new generation") == 0 {
				next, err := Open(view.Compact())
				if err != nil {
					t.Fatal(err)
				}
				view = next.View()
			}
		}
		for _, d := range docs {
			if !changed[d.ID] && seen[d.ID] != 1 {
				t.Fatalf("%s came %d times", d.ID, seen[d.ID])
			}
		}
	})
}

// TestUpdateOrderIsByTheTextOfIDs fails unless roles of one update are listed by the text of their ids, whatever their form, page by page: a search
// domain lists the roles of its pages so.
func TestUpdateOrderIsByTheTextOfIDs(t *testing.T) {
	t.Parallel()
	ids := []string{"", "00-first", "0190F1F2-7A51-7C3E-9A63-2F0A6B1C9D10", "0190f1f2-7a51-7c3e-9a63-2f0a6b1c9d10", "f190f1f2-7a51-7c3e-9a63-2f0a6b1c9d10", "role"}
	var docs []Doc
	for _, id := range ids {
		docs = append(docs, Doc{ID: id, UpdatedAt: start})
	}
	view := newTestView(t, docs...)
	q := Query{Sort: UpdateOrder, Limit: 1}
	var got []string
	for more := true; more; {
		page := view.Search(q)
		for _, row := range page.Rows {
			got = append(got, row.ID)
			q.AfterUpdated = &Position{UpdatedAt: row.UpdatedAt, ID: row.ID}
		}
		more = page.More
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// docsSharingKeys are roles with equal order keys, four at a time.
func docsSharingKeys() (docs []Doc) {
	for _, id := range roleIDs {
		docs = append(docs, Doc{ID: id, Name: "Engineer", BrowseRank: 1, PostedAt: start})
	}
	return docs
}

// drawChanges moves, closes and adds some roles, and notes which.
func drawChanges(t *rapid.T, docs []Doc, page int, changed map[string]bool) map[string]*Doc {
	changes := map[string]*Doc{}
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		d := docs[rapid.IntRange(0, len(docs)-1).Draw(t, "role")]
		if rapid.Bool().Draw(t, "another") {
			d.ID = fmt.Sprint("new-", page, len(changes))
		}
		d.BrowseRank = rapid.IntRange(0, 4).Draw(t, "rank")
		changed[d.ID] = true
		changes[d.ID] = &d
		if rapid.Bool().Draw(t, "deleted") {
			changes[d.ID] = nil
		}
	}
	return changes
}

// TestAllocations holds that a search allocates for its page and hardly more, at any size.
func TestAllocations(t *testing.T) {
	docs := make([]Doc, 5000)
	for i := range docs {
		docs[i] = Doc{ID: fmt.Sprint("role-", i), Name: fmt.Sprintf("Engineer word%c%c", 'a'+i%26, 'a'+i/26%26), Status: "ACTIVE"}
	}
	view := openTestIndex(t, docs...).View()
	q := Query{Text: "enginer wor", AnyOf: map[Field][]string{Status: {"ACTIVE"}}}
	if got := testing.AllocsPerRun(100, func() { view.Search(q) }); got > 50 {
		t.Errorf("%v allocations a search", got)
	}
}

// TestConcurrentSearches holds that searches of views of several sizes, side by
// side, do not disturb one another.
func TestConcurrentSearches(t *testing.T) {
	t.Parallel()
	base := openTestIndex(t, docsSharingKeys()...).View()
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			view := base
			want := 16
			for range i {
				view = view.WithRolesFrom(newTestView(t, Doc{ID: fmt.Sprint("own-", want), Name: "Engineer"}), []string{fmt.Sprint("own-", want)})
				want++
			}
			for range 200 {
				if got := len(view.Search(Query{Text: "enginer", Limit: 50}).Rows); got != want {
					t.Fatalf("%d roles, want %d", got, want)
				}
			}
		})
	}
}
