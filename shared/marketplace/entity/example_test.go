package entity_test

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// A list that has the newest first is read by places: the next page begins behind
// the place of the last row.
func ExampleQuery_AfterPlace() {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	older, newer := entity.PlaceOf(monday, "cand_1"), entity.PlaceOf(monday.Add(time.Hour), "cand_2")
	fmt.Println(newer < older)

	page := entity.QueryOf(itemkey.CandidateRow, "rec_1").AfterPlace(newer)
	fmt.Println(page.PK, page.Prefix, page.After > itemkey.CandidateRow.SK(newer.Key(), "cand_2"))
	// Output:
	// true
	// U#rec_1 C# true
}
