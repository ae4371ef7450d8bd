package paging_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

type row struct {
	position int
	shown    bool
}

func inspectRow(r row) (int, bool) { return r.position, r.shown }

// A page ends between two positions, shows as many rows as fit, and shows more than
// the limit only of one position.
func TestEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rows []row
		for position := range rapid.IntRange(0, 12).Draw(t, "positions") {
			for range rapid.IntRange(1, 4).Draw(t, "together") {
				rows = append(rows, row{position, rapid.Bool().Draw(t, "shown")})
			}
		}
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		end := paging.End(rows, limit, inspectRow)
		if end > 0 && end < len(rows) && rows[end-1].position == rows[end].position {
			t.Fatalf("%v is torn apart at %d", rows, end)
		}
		page := slices.DeleteFunc(slices.Clone(rows[:end]), func(r row) bool { return !r.shown })
		if len(page) > limit && page[0].position != page[len(page)-1].position {
			t.Fatalf("%d of %v are more than %d rows, of different positions", end, rows, limit)
		}
		if end == len(rows) {
			return
		}
		next := slices.IndexFunc(rows[end:], func(r row) bool { return r.position != rows[end].position })
		if next < 0 {
			next = len(rows) - end
		}
		for _, r := range rows[end : end+next] {
			if r.shown {
				page = append(page, r)
			}
		}
		if len(page) < limit {
			t.Fatalf("the page of %v ends at %d, although the next position fits within %d", rows, end, limit)
		}
	})
}

// What is merged of sources that were read as far as a page each is the beginning of the
// whole list, never empty while there is more, and ends between two positions.
func TestMerge(t *testing.T) {
	t.Parallel()
	position := func(r row) (int, bool) { return r.position, true }
	compare := func(a, b row) int { return a.position - b.position }
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 6).Draw(t, "limit")
		var parts []paging.Part[row]
		var whole []row
		for range rapid.IntRange(1, 3).Draw(t, "sources") {
			var source []row
			for _, at := range rapid.SliceOf(rapid.IntRange(1, 9)).Draw(t, "positions") {
				source = append(source, row{position: at})
			}
			slices.SortFunc(source, compare)
			end := paging.End(source, limit, position)
			parts = append(parts, paging.Part[row]{Rows: source[:end], More: end < len(source)})
			whole = append(whole, source...)
		}
		slices.SortFunc(whole, compare)
		rows, more := paging.Merge(compare, parts...)
		if !slices.Equal(rows, whole[:len(rows)]) || more != (len(rows) < len(whole)) || more && len(rows) == 0 {
			t.Fatalf("got %v, more %v; want the beginning of %v", rows, more, whole)
		}
		if more && rows[len(rows)-1] == whole[len(rows)] {
			t.Fatalf("%v is torn apart at %d", whole, len(rows))
		}
	})
}
