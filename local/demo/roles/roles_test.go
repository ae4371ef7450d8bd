package roles

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestRolesAreTheContracts(t *testing.T) {
	t.Parallel()
	types := map[string]bool{}
	ids := map[string]bool{}
	for r := range All(5000, now) {
		if ids[r.ID] {
			t.Fatalf("id %s twice", r.ID)
		}
		ids[r.ID] = true
		for e, keys := range map[*contract.Enum][]string{
			contract.RoleTypes: r.RoleTypes, contract.Locations: slices.Concat(r.LocationKeys, r.Company.LocationKeys),
			contract.Industries: r.Company.Industries, contract.WorkplaceTypes: {*r.WorkplaceType}, contract.FundingRounds: {*r.Company.FundingRound},
		} {
			for _, key := range keys {
				if !e.Has(key) {
					t.Errorf("%q is no %s", key, e.Name)
				}
			}
		}
		for _, key := range r.RoleTypes {
			types[key] = true
		}
		if r.Title == "" || *r.Description == "" || r.UpdatedAt.Before(r.PostedAt.Time) || r.Salary.Min != nil && *r.Salary.Min > *r.Salary.Max || r.UpdatedAt.After(now) {
			t.Errorf("not believable: %+v", r)
		}
	}
	if len(types) != len(contract.RoleTypes.Values) {
		t.Errorf("%d role types occur, want all %d", len(types), len(contract.RoleTypes.Values))
	}
}

// Places are told as people call them, never by key.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"new_york": "New York", "uk": "United Kingdom", "washington_dc": "Washington, DC", "asia": "Asia", "south_bay_area": "South Bay Area"} {
		if got := placeNames([]string{key})[0]; got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	for _, key := range contract.Locations.Values {
		if name := placeNames([]string{key})[0]; contract.Locations.Has(name) || strings.Contains(name, "_") || strings.ToLower(name[:1]) == name[:1] {
			t.Errorf("%s is called %q", key, name)
		}
	}
}

// A title bears one rank, and asks for years that suit it.
func TestRanks(t *testing.T) {
	t.Parallel()
	for r := range All(3000, now) {
		words := strings.Fields(r.Title)
		for _, level := range []string{"Senior", "Staff", "Principal", "Junior", "Global", "Regional"} {
			if words[0] == level && (strings.Contains(r.Title, "Head of") || strings.Contains(r.Title, "VP") || strings.Contains(r.Title, "Founding") || strings.Contains(r.Title, "Director") && r.Title != "Regional Sales Director") {
				t.Errorf("%q has two ranks", r.Title)
			}
		}
		if least := map[string]int{"Principal": 9, "Staff": 7, "Senior": 5}[words[0]]; int(*r.YearsMin) < least || words[0] == "Junior" && *r.YearsMin > 2 {
			t.Errorf("%q asks for %v years", r.Title, *r.YearsMin)
		}
	}
}

func TestTheSameNumberIsTheSameRole(t *testing.T) {
	t.Parallel()
	few := slices.Collect(All(20, now))
	many := slices.Collect(All(50, now))
	if diff := cmp.Diff(few, many[:20]); diff != "" {
		t.Error(diff)
	}
}

func TestCompanyNamesDiffer(t *testing.T) {
	t.Parallel()
	names := map[string]int{}
	for i := range 20_000 {
		names[CompanyAt(i).Name]++
	}
	if len(names) < 19_000 {
		t.Errorf("%d names among 20,000 companies", len(names))
	}
}
