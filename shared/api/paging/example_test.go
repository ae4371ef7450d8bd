package paging_test

import (
	"cmp"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

// The rows at position 3 do not fit on the first page together, so it is shorter than
// its limit, and they are the next one.
func ExampleEnd() {
	rows := []int{1, 2, 3, 3, 4}
	position := func(row int) (int, bool) { return row, true }
	for len(rows) > 0 {
		end := paging.End(rows, 3, position)
		fmt.Println(rows[:end])
		rows = rows[end:]
	}
	// Output:
	// [1 2]
	// [3 3 4]
}

// More rows than the limit share a position: the page holds them all.
func ExampleEnd_longerThanLimit() {
	rows := []int{7, 7, 7, 8}
	fmt.Println(paging.End(rows, 2, func(row int) (int, bool) { return row, true }))
	// Output: 3
}

// A page may look at rows that a filter keeps from being shown.
func ExampleEnd_filtered() {
	rows := []int{1, 2, 3, 4, 5, 6}
	fmt.Println(paging.End(rows, 2, func(row int) (position int, shown bool) { return row, row%2 == 0 }))
	// Output: 4
}

// Each source was read as far as a page of two rows. What is published goes on after 4, so the
// recent row at 6 is on a later page, behind the published rows that were not read yet.
func ExampleMerge() {
	published := paging.Part[int]{Rows: []int{1, 4}, More: true}
	recent := paging.Part[int]{Rows: []int{3, 6}}
	fmt.Println(paging.Merge(cmp.Compare[int], published, recent))
	// Output: [1 3 4] true
}
