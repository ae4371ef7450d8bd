package crm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Pages that are cut off a list of which only some rows are read at a time hold
// every row that passes, once and in order; one is longer than the limit only when
// all of it shares a place, and never ends within a place.
func TestPageOfPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all positionedRows
		var want []string
		pass := map[string]bool{}
		for at := int64(1); len(all) < 40; at++ {
			for range rapid.IntRange(0, 4).Draw(t, "together") {
				id := fmt.Sprint("c", len(all))
				all = append(all, positionedRow{Row{ID: id}, at})
				pass[id] = rapid.Bool().Draw(t, "passes")
				if pass[id] {
					want = append(want, id)
				}
			}
		}
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		read := rapid.IntRange(6, 12).Draw(t, "read")
		var got []string
		for after := int64(0); ; {
			from := slices.IndexFunc(all, func(r positionedRow) bool { return r.position > after })
			if from < 0 {
				break
			}
			last := all[min(len(all), from+read)-1].position
			end := from // of a list of whole places
			for end < len(all) && all[end].position <= last {
				end++
			}
			part := slices.Clone(all[from:end])
			for i := range part {
				if !pass[part[i].ID] {
					part[i].Row = Row{}
				}
			}
			p := part.cutPage(limit, end < len(all))
			places := map[int64]bool{}
			for _, r := range p.Rows {
				got = append(got, r.ID)
				places[all[slices.IndexFunc(all, func(o positionedRow) bool { return o.ID == r.ID })].position] = true
			}
			if len(p.Rows) > limit && len(places) > 1 {
				t.Fatalf("a page of %d rows at %d places; the limit is %d", len(p.Rows), len(places), limit)
			}
			if p.Next == 0 {
				break
			}
			if p.Next <= after {
				t.Fatalf("the position went from %d to %d", after, p.Next)
			}
			after = p.Next
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
