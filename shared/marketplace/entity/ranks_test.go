package entity_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Pages by rank hold every row once and in order, and none ends within a rank, wherever a call is cut off: between two ranks,
// within one, or when all its rows have one rank. A page before others has at least as many rows as it must.
func TestQueryRanks(t *testing.T) {
	t.Parallel()
	s, table := open(t)
	lists := 0
	rapid.Check(t, func(t *rapid.T) {
		lists++
		list := fmt.Sprint("rec", lists)
		var all []string
		var ranks []entity.Rank // of all, in order
		var items []any
		for rank, size := range rapid.SliceOfN(rapid.IntRange(1, 5), 0, 6).Draw(t, "sizes") {
			for i := range size {
				pk, sk := itemkey.CandidateRow.Key(list, entity.Rank(rank+1).Key(), fmt.Sprint("c", i))
				items = append(items, map[string]string{"pk": pk, "sk": sk})
				all = append(all, sk)
				ranks = append(ranks, entity.Rank(rank+1))
			}
		}
		for some := range slices.Chunk(items, 25) {
			if _, err := table.Batch().Write().Put(some...).Run(ctx); err != nil {
				t.Fatal(err)
			}
		}
		n := rapid.IntRange(1, 7).Draw(t, "n")
		least := rapid.IntRange(1, 7).Draw(t, "least")
		var got []string
		for more := true; more; {
			after := entity.Rank(0)
			if len(got) > 0 {
				after = ranks[len(got)-1]
			}
			var rows []entity.Item
			var err error
			rows, more, err = s.QueryRanks(ctx, entity.QueryOf(itemkey.CandidateRow, list).AfterRank(after), n, least)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				got = append(got, row.SK)
			}
			switch {
			case !more:
			case len(rows) < least || len(got) >= len(all):
				t.Fatalf("a page of %d rows, of at least %d, ends after %d of %d", len(rows), least, len(got), len(all))
			case ranks[len(got)-1] == ranks[len(got)]:
				t.Fatalf("a page ends within the rank of row %d", len(got))
			}
		}
		if diff := cmp.Diff(all, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
