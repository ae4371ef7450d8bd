// Package paging decides where a page of a list with numeric cursors ends.
//
// Such a cursor is the position of the page's last row in the list: a hash or a
// time, of at most 53 bits so that it survives as a JSON number (contract, Limits).
// Different rows may share a position. The next page begins after the position and
// so after all of its rows, which means that a page may only end between different
// positions: an end between two equal ones would skip the rows that are left.
//
// A page is therefore shorter than its limit where it would otherwise tear rows of
// one position apart. When more rows than the limit share the first position, no
// shorter page exists, and the page holds them all.
//
// A list may have several sources, each of which is read up to a page's end of its own:
// [Merge] joins them.
//
// The package does not know where positions come from, nor how a list is read.
package paging

import "slices"

// End returns how many rows, from the first of a list on, a page of at most limit
// shown rows looks at. inspect returns a row's position and whether the page shows the
// row; the positions must be in order.
//
// It returns len(rows) when no page ends before the last of them. If the list
// continues after rows, the caller must ensure that the rows of the last position are
// complete.
func End[Row any, Position comparable](rows []Row, limit int, inspect func(Row) (position Position, shown bool)) int {
	// boundary is the last index at which the position changes, fit how many shown
	// rows precede it.
	var boundary, shownRows, fit int
	var last Position
	for i, row := range rows {
		position, shown := inspect(row)
		if i > 0 && position != last {
			if shownRows >= limit {
				return i
			}
			boundary = i
			fit = shownRows
		}
		last = position
		if !shown {
			continue
		}
		if shownRows >= limit && fit > 0 {
			return boundary
		}
		shownRows++
	}
	return len(rows)
}

// Part is the beginning of a source of a list: the rows that were read, in order.
type Part[Row any] struct {
	Rows []Row
	// More reports that the source has other rows, all of them at positions after that of the
	// last of Rows, which has at least one.
	More bool
}

// Merge returns the rows of a list that are known of all its sources: those up to the last
// position of every part that has more. Behind it, rows could be missing. compare compares
// positions; rows that share one stay in the order of the parts. more reports that other
// rows follow.
func Merge[Row any](compare func(a, b Row) int, parts ...Part[Row]) (rows []Row, more bool) {
	for _, part := range parts {
		rows = append(rows, part.Rows...)
	}
	slices.SortStableFunc(rows, compare)
	for _, part := range parts {
		if part.More {
			last := part.Rows[len(part.Rows)-1]
			end := slices.IndexFunc(rows, func(row Row) bool { return compare(row, last) > 0 })
			more = true
			if end >= 0 {
				rows = rows[:end]
			}
		}
	}
	return rows, more
}
