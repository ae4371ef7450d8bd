package entity_test

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// A list that has the newest first is read by ranks: the next page begins after
// the place of the last row.
func ExampleQuery_AfterRank() {
	monday := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	older := entity.RankOf(monday, "cand_1")
	newer := entity.RankOf(monday.Add(time.Hour), "cand_2")
	fmt.Println(newer < older)

	page := entity.QueryOf(itemkey.CandidateRow, "rec_1").AfterRank(newer)
	fmt.Println(page.PK, page.Prefix, page.After > itemkey.CandidateRow.SK(newer.Key(), "cand_2"))
	// Output:
	// true
	// U#rec_1 C# true
}
