package roleindex_test

import (
	"fmt"
	"log"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// openExample builds an index of three roles and opens it.
func openExample() *roleindex.View {
	day := time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)
	file := roleindex.Build(map[string]*roleindex.Doc{
		"backend": {ID: "backend", Name: "Senior Backend Engineer", Company: "Lumenfold", BrowseRank: 10, PostedAt: day, Status: "ACTIVE"},
		"data":    {ID: "data", Name: "Data Engineer", Company: "Brackish", BrowseRank: 10, PostedAt: day.AddDate(0, 0, 1), Status: "ACTIVE"},
		"counsel": {ID: "counsel", Name: "Legal Counsel", Company: "Lumenfold", BrowseRank: 90, PostedAt: day, Status: "PAUSED"},
	})
	index, err := roleindex.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	return index.View()
}

func printIDs(page roleindex.Page) {
	for _, row := range page.Rows {
		fmt.Print(row.ID, " ")
	}
	fmt.Println(page.More)
}

// A word may have a typo, and the last word may be unfinished.
func ExampleView_Search() {
	view := openExample()
	printIDs(view.Search(roleindex.Query{Text: "bakcend"}))
	printIDs(view.Search(roleindex.Query{Text: "lumenfold engi"}))
	// Output:
	// backend false
	// backend false
}

// Browse order is by rank, then by the hour of posting. The order key of a page's last
// row is the cursor of the next page.
func ExampleView_Search_browse() {
	view := openExample()
	first := view.Search(roleindex.Query{Limit: 2})
	printIDs(first)
	printIDs(view.Search(roleindex.Query{Limit: 2, After: first.Rows[1].Key}))
	printIDs(view.Search(roleindex.Query{AnyOf: map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}}}))
	// Output:
	// counsel data true
	// backend false
	// data backend false
}

// Changes are merged into a view, which can then be compacted into the next file.
func ExampleView_Overlay() {
	changed := openExample().Overlay(map[string]*roleindex.Doc{
		"data":    nil,
		"counsel": {ID: "counsel", Name: "Patent Counsel"},
	})
	printIDs(changed.Search(roleindex.Query{Text: "patent"}))
	next, err := roleindex.Open(changed.Compact())
	if err != nil {
		log.Fatal(err)
	}
	printIDs(next.View().Search(roleindex.Query{}))
	// Output:
	// counsel false
	// backend counsel false
}
