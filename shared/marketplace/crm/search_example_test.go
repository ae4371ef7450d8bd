package crm

import (
	"fmt"
	"time"
)

// A query's words are beginnings of words, in any spelling that folds to the same. Who is
// found by name comes first; the others follow, from the newest on.
func Example_search() {
	day := func(n int) int64 { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC).UnixMilli() }
	rows := []Row{
		{ID: "c3", Name: "Ana Popescu", Company: "Straße & Söhne", AddedAt: day(3)},
		{ID: "c2", Name: "Bo Müller", OneLiner: "Works on Strassenbau", AddedAt: day(2)},
		{ID: "c1", Name: "Carl Strasser", AddedAt: day(1)},
	}
	base := packRows(rows)
	found := base.findRows(Filter{Query: "strass"}.newMatcher(), 0, 10, nil)
	for _, r := range found.Rows {
		fmt.Println(r.ID)
	}
	fmt.Println(found.More)
	// Output:
	// c1
	// c3
	// c2
	// false
}
