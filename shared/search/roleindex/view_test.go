package roleindex

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSegmentsShowEveryRole holds the columns against the documents.
func TestSegmentsShowEveryRole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		view, m := drawView(t)
		q := Query{AnyOf: map[Field][]string{Workplace: {"REMOTE", "HYBRID"}}}
		want := map[string]map[string]bool{}
		for _, d := range m {
			if d.passes(q) {
				want[d.ID] = facetNames(&d)
			}
		}
		got := map[string]map[string]bool{}
		for _, s := range view.Segments(q) {
			for role := range s.Roles() {
				row := s.Row(role)
				got[row.ID] = listFacets(t, s, role)
				d := m[slices.IndexFunc(m, func(d Doc) bool { return d.ID == row.ID })]
				if s.Row(role).Key != d.OrderKey() || s.PostedHour(role) != int(postedHour(d.PostedAt)) || s.Figures(role) != newFigures(&d) {
					t.Fatalf("%+v: key %d, posted %d, %+v", d, s.Row(role).Key, s.PostedHour(role), s.Figures(role))
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func facetNames(d *Doc) map[string]bool {
	names := map[string]bool{}
	d.forEachFacet(func(f Field, v string) { names[string(f.term(v))] = true })
	return names
}

func listFacets(t *rapid.T, s Segment, role int) map[string]bool {
	names := map[string]bool{}
	facets := s.Facets(role)
	for i := range facets.Len() {
		term := s.segment.lexicons[facetValues].terms.at(facets.At(i))
		f := Field(term[0])
		value := string(term[1:])
		if number, ok := s.FacetNumber(f, value); !ok || number != facets.At(i) {
			t.Fatalf("%d %q has number %d, want %d", f, value, number, facets.At(i))
		}
		names[string(term)] = true
	}
	return names
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		doc  Doc
		want Figures
	}{
		{Doc{}, Figures{}},
		{Doc{SalaryLower: 99_499, SalaryUpper: 99_500}, Figures{SalaryLower: 99, SalaryUpper: 100}},
		{Doc{SalaryLower: 120_000}, Figures{SalaryLower: 120, SalaryUpper: 120}},
		{Doc{SalaryUpper: 120_000}, Figures{SalaryUpper: 120}},
		{Doc{SalaryLower: 200_000, SalaryUpper: 100_000}, Figures{SalaryLower: 100, SalaryUpper: 200}},
		{Doc{SalaryLower: 20, SalaryUpper: 35}, Figures{SalaryUpper: 1}},
		{Doc{SalaryLower: 9e9, SalaryUpper: 9e12}, Figures{SalaryLower: 65535, SalaryUpper: 65535}},
		{Doc{YearsMin: 2.5, YearsMax: 7, FeePercent: 17.125, CompanySize: 7e9}, Figures{YearsMin: 25, YearsMax: 70, FeePercent: 1713, CompanySize: 1<<32 - 1}},
		{Doc{YearsMin: -1, FeePercent: -3, CompanySize: -4, SalaryLower: -5, SalaryUpper: -1}, Figures{}},
	} {
		got := newFigures(&tt.doc)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%+v: %s", tt.doc, diff)
		}
		if back := decodeFigures(got.appendTo(nil)); back != got {
			t.Errorf("%+v comes back as %+v", got, back)
		}
	}
}

// TestViewsAreUnchanged holds that making a view from another leaves that one as it was.
func TestViewsAreUnchanged(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t, Doc{ID: "a", Name: "Engineer"}, Doc{ID: "b", Name: "Engineer"}).View()
	mine := view.WithRolesFrom(newTestView(t, Doc{ID: "a", Name: "Secret"}, Doc{ID: "b", Name: "Secret"}), []string{"a"})
	less := view.Overlay(map[string]*Doc{"b": nil})
	for _, tt := range []struct {
		view *View
		want map[string][]string
	}{
		{view, map[string][]string{"engineer": {"a", "b"}, "secret": nil}},
		{mine, map[string][]string{"engineer": {"b"}, "secret": {"a"}}},
		{less, map[string][]string{"engineer": {"a"}, "secret": nil}},
	} {
		for _, query := range slices.Sorted(maps.Keys(tt.want)) {
			if diff := cmp.Diff(tt.want[query], searchIDs(tt.view, query)); diff != "" {
				t.Errorf("%s: %s", query, diff)
			}
		}
	}
}
