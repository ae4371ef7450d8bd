package entity

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Ranks follow time, newest first, and sort keys follow ranks.
func TestRanksFollowTime(t *testing.T) {
	t.Parallel()
	kind := itemkey.CandidateRow
	after := func(p Rank) string { return QueryOf(kind, "rec1").AfterRank(p).After }
	rapid.Check(t, func(t *rapid.T) {
		moment := rapid.Custom(func(t *rapid.T) time.Time {
			return firstRankTime.Add(time.Duration(rapid.Int64Range(-1e6, 2e12).Draw(t, "ms")) * time.Millisecond)
		})
		id := rapid.StringMatching(`[!-"$-{}~]{1,12}`)
		a := moment.Draw(t, "a")
		b := moment.Draw(t, "b")
		x := id.Draw(t, "x")
		y := id.Draw(t, "y")
		p := RankOf(a, x)
		q := RankOf(b, y)
		if p < 1 || p > MaxRank {
			t.Fatalf("the place %d is out of bounds", p)
		}
		if a.After(b) && b.After(firstRankTime) && p >= q {
			t.Fatalf("%v has rank %d, the older %v has %d", a, p, b, q)
		}
		k := kind.SK(p.Key(), x)
		l := kind.SK(q.Key(), y)
		if (p < q) != (after(p) < l && k < after(q) && p != q) {
			t.Fatalf("places %d and %d, keys %q and %q", p, q, k, l)
		}
		if after(0) >= k || after(MaxRank+1) <= k || after(p) <= k {
			t.Fatalf("%q is not between the ends, or not before what follows its place", k)
		}
	})
}
