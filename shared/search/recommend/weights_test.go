package recommend

import (
	"math"
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The table is one: every part in its place, with a reason, and a whole together.
func TestWeights(t *testing.T) {
	t.Parallel()
	sum := 0.0
	for p, w := range Weights {
		if w.Part != Part(p) || w.Name == "" || w.Reason == "" || w.Points <= 0 || w.Unknown < 0 || w.Unknown >= 1 {
			t.Errorf("part %d: %+v", p, w)
		}
		sum += w.Points
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the points make %v; want 1", sum)
	}
}

// Preferences alone recommend nothing without a fitting role type or stack.
func TestUnknownIsNotEnough(t *testing.T) {
	t.Parallel()
	best := 0.0
	for _, w := range Weights {
		if w.Part != RoleType && w.Part != Skills {
			best += w.Points
		}
	}
	best += Weights[Skills].Points * Weights[Skills].Unknown
	if best >= minSuggested {
		t.Errorf("a role of another type is suggested with %v", best)
	}
}

// The tables know every value of the contract and no other.
func TestTablesAreTheContracts(t *testing.T) {
	t.Parallel()
	all := func(what string, got, want []string) {
		t.Helper()
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
		got = slices.Compact(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q; want %q", what, got, want)
		}
	}
	all("families", slices.Concat(families()...), contract.RoleTypes.Values)
	var places, bands []string
	for place := range regions {
		places = append(places, place)
	}
	for size := range companySizes {
		bands = append(bands, size)
	}
	all("regions", places, contract.Locations.Values)
	all("sizes", bands, contract.CompanySizes.Values)
}
