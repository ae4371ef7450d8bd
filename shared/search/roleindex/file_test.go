package roleindex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func sampleDocs() []Doc {
	return []Doc{
		{ID: "0190f1f2-7a51-7c3e-9a63-2f0a6b1c9d10", Name: "Senior Backend Engineer", Company: "Lumenfold", TechStack: []string{"Go", "C++"},
			Locations: []string{"boston", "uk"}, Status: "ACTIVE", Investors: []string{"Alder Capital"}, Description: "Builds ledgers.",
			BrowseRank: 9, PostedAt: start, UpdatedAt: start, SalaryLower: 120_000, SalaryUpper: 180_000, Flags: []Flag{VisaSponsorship}},
		{ID: "0190F1F2-7A51-7C3E-9A63-2F0A6B1C9D10", Name: "Designer", Status: "ACTIVE"},
		{ID: "", Name: "Nameless"},
		{ID: "rôle/7 \x00", Name: "東京 Manager", Company: "Brackish"},
	}
}

func TestIDsAreKeptAsGiven(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t, sampleDocs()...).View()
	for _, d := range sampleDocs() {
		if row, ok := view.findRow(d.ID); !ok || row.ID != d.ID || row.Key != d.OrderKey() {
			t.Errorf("Get(%q) = %+v, %v", d.ID, row, ok)
		}
		if got := view.Search(Query{Only: []string{d.ID}}).Rows; len(got) != 1 || got[0].ID != d.ID {
			t.Errorf("only %q: %+v", d.ID, got)
		}
		without := view.segments[0].View().Overlay(map[string]*Doc{d.ID: nil})
		if _, ok := without.findRole(d.ID); ok || without.countRoles() != 3 {
			t.Errorf("%q is still there", d.ID)
		}
	}
	if _, ok := view.findRole("0190f1f2"); ok {
		t.Error("an unknown id is found")
	}
}

// TestBuildIsRepeatable holds that the order in which a map yields documents, and a nil among them, do not matter.
func TestBuildIsRepeatable(t *testing.T) {
	t.Parallel()
	docs := byID(sampleDocs()...)
	file := Build(docs)
	docs["deleted"] = nil
	for range 20 {
		if !slices.Equal(file, Build(docs)) {
			t.Fatal("the same documents are another file")
		}
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t).View()
	for _, q := range []Query{{}, {Text: "engineer backend"}, {Sort: UpdateOrder}, {AnyOf: map[Field][]string{Status: {"ACTIVE"}}}} {
		if got := view.Search(q); len(got.Rows) != 0 || got.More {
			t.Errorf("%+v found %+v", q, got)
		}
	}
	if got := view.WithRolesFrom(newTestView(t, Doc{ID: "x", Name: "engineer"}), []string{"x"}).Search(Query{Text: "engineer"}); len(got.Rows) != 1 {
		t.Errorf("nothing on top of nothing: %+v", got)
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	file := Build(byID(sampleDocs()...))
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 0x10
		if _, err := Open(damaged); !errors.Is(err, ErrBroken) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := Open(file[:i]); !errors.Is(err, ErrBroken) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
	}
	if _, err := Open(append(slices.Clone(file), 0)); !errors.Is(err, ErrBroken) {
		t.Errorf("a byte too many: %v", err)
	}
}

// FuzzOpen holds that bytes made to deceive, with a fitting checksum, are
// refused or searched, and never more than that.
func FuzzOpen(f *testing.F) {
	file := Build(byID(sampleDocs()...))
	f.Add(file, "backend enginer")
	f.Add(Build(nil), "x")
	for i := countAt; i < len(file); i += 7 {
		damaged := slices.Clone(file)
		damaged[i] ^= 0xff
		f.Add(damaged, "senoir design")
	}
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		if len(file) >= headerSize {
			file = slices.Clone(file)
			copy(file, magic)
			order.PutUint32(file[crcAt:], checksum(file[countAt:]))
		}
		ix, err := Open(file)
		if err != nil {
			return
		}
		minimum := int64(1)
		view := ix.View().WithRolesFrom(newTestView(t, Doc{ID: "x", Name: text}), []string{"x"})
		for _, q := range []Query{
			{Text: text, Limit: 3}, {Text: text, Sort: UpdateOrder}, {Text: text, Sort: RelevanceOrder}, {Only: []string{text}, MinSalary: &minimum},
			{Investors: []string{text}, AnyOf: map[Field][]string{Status: {"ACTIVE"}}, Flags: map[Flag]bool{VisaSponsorship: false}},
		} {
			view.Search(q)
		}
		for _, s := range view.Segments(Query{}) {
			for role := range s.Roles() {
				facets := s.Facets(role)
				for i := range facets.Len() {
					s.segment.lexicons[facetValues].terms.at(facets.At(i))
				}
				_ = s.Row(role)
				_ = s.Figures(role)
				_ = s.PostedHour(role)
			}
		}
		if _, err := Open(view.Compact()); err != nil && ix.isPlausible() {
			t.Fatal(err)
		}
	})
}

// isPlausible reports whether the ids differ; where a hostile file repeats one, a
// file made from it is rightly refused.
func (ix *Index) isPlausible() bool {
	seen := map[string]bool{}
	for i := range ix.n {
		seen[string(ix.ids.at(i))] = true
	}
	return len(seen) == ix.n
}

// FuzzSearch holds that any text is answered, by the model's answer.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"backend enginer", "東京", "c++ k8s", "full stack", strings.Repeat("ab ", 20), strings.Repeat("ж", 50)} {
		f.Add(s)
	}
	docs := sampleDocs()
	view := openTestIndex(f, docs...).View()
	f.Fuzz(func(t *testing.T, text string) {
		q := Query{Text: text, Limit: 9}
		got := view.Search(q)
		want := model(docs).searchModel(q)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}
