package entity

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Places go with time, newest first, and sort keys go with places.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		moment := rapid.Custom(func(t *rapid.T) time.Time {
			return beginning.Add(time.Duration(rapid.Int64Range(-1e6, 2e12).Draw(t, "ms")) * time.Millisecond)
		})
		id := rapid.StringMatching(`[!-"$-{}~]{1,12}`)
		a, b := moment.Draw(t, "a"), moment.Draw(t, "b")
		x, y := id.Draw(t, "x"), id.Draw(t, "y")
		p, q := PlaceOf(a, x), PlaceOf(b, y)
		if p < 1 || p > MaxPlace {
			t.Fatalf("the place %d is out of bounds", p)
		}
		if a.After(b) && b.After(beginning) && p >= q {
			t.Fatalf("%v stands at %d, the older %v at %d", a, p, b, q)
		}
		k, l := PlacedSK("C#", a, x), PlacedSK("C#", b, y)
		if (p < q) != (AfterPlace("C#", p) < l && k < AfterPlace("C#", q) && p != q) {
			t.Fatalf("places %d and %d, keys %q and %q", p, q, k, l)
		}
		if AfterPlace("C#", 0) >= k || AfterPlace("C#", MaxPlace+1) <= k || AfterPlace("C#", p) <= k {
			t.Fatalf("%q is not between the ends, or not before what follows its place", k)
		}
	})
}
