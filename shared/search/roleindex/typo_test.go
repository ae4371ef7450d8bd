package roleindex

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func openTestIndex(t testing.TB, docs ...Doc) *Index {
	t.Helper()
	ix, err := Open(Build(byID(docs...)))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// byID returns documents by their ids; of several with one id, the last.
func byID(docs ...Doc) map[string]*Doc {
	all := map[string]*Doc{}
	for i := range docs {
		all[docs[i].ID] = &docs[i]
	}
	return all
}

func searchIDs(v *View, query string) []string {
	var ids []string
	for _, r := range v.Search(Query{Text: query}).Rows {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestText holds the rules of typo tolerance, case by case.
func TestText(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t,
		Doc{ID: "backend", Name: "Senior Backend Engineer", Company: "Lumenfold", Locations: []string{"san_francisco"}, TechStack: []string{"Go", "C++"}},
		Doc{ID: "fullstack", Name: "Fullstack Developer", Company: "Café Zürich", OneLiner: "Payments for k8s, PR stunts", RoleTypes: []string{"full_stack_engineer"}},
		Doc{ID: "counsel", Name: "Legal Counsel", Industries: []string{"fintech"}, Description: "Negotiates zeppelin contracts with a soft ware vendor"},
		Doc{ID: "frontend", Name: "Front End Wizard", Company: "Brackish", Locations: []string{"uk"}},
	).View()
	tests := []struct {
		query string
		want  []string
		why   string
	}{
		{"backend", []string{"backend"}, "as written"},
		{"BACKEND ｅｎｇｉｎｅｅｒ", []string{"backend"}, "case and width"},
		{"cafe zurich", []string{"fullstack"}, "accents"},
		{"engineer backend", []string{"backend"}, "in any order"},
		{"bakend engineer", []string{"backend"}, "a letter missing"},
		{"baackend engineer", []string{"backend"}, "a letter added"},
		{"backemd engineer", []string{"backend"}, "a letter replaced"},
		{"bcakend engineer", []string{"backend"}, "neighbours swapped"},
		{"abckend engineer", []string{"backend"}, "the first two swapped is one typo"},
		{"vackend engineer", nil, "a wrong first letter is two, and seven letters allow one"},
		{"engineeer backend", []string{"backend"}, "nine letters"},
		{"enginneeer backend", []string{"backend"}, "two typos from eight letters on"},
		{"xngineer backend", []string{"backend"}, "a wrong first letter where two are allowed"},
		{"xnginer backend", nil, "and one more is too many"},
		{"sen", []string{"backend"}, "the last word as a beginning"},
		{"sen backend", nil, "but no other"},
		{"backend enginer", []string{"backend"}, "a misspelt beginning"},
		{"lumebf", []string{"backend"}, "a misspelt beginning of a longer word"},
		{"k9s", nil, "short words and words with a digit exactly"},
		{"k8s", []string{"fullstack"}, "as written, with a digit"},
		{"c++", []string{"backend"}, "signs that belong to a word"},
		{"san_francisco", []string{"backend"}, "a key"},
		{"sf bay area backend", []string{"backend"}, "a display word of a key"},
		{"united kingdom", []string{"frontend"}, "another"},
		{"fin tech", []string{"counsel"}, "joined"},
		{"frontend", []string{"frontend"}, "split"},
		{"frontend wizard", []string{"frontend"}, "split beside another word"},
		{"prstunts", []string{"fullstack"}, "split after two letters"},
		{"wizard frontend", []string{"frontend"}, "split at the end"},
		{"zeppelin", []string{"counsel"}, "descriptions when there is nothing else"},
		{"zepelin counsel", []string{"counsel"}, "with typos, and together with the fields"},
		{"soft", []string{"counsel"}, "a description's word"},
		{"quartz", nil, "nothing"},
		{"?!", nil, "without a word nothing"},
		{"", []string{"backend", "counsel", "frontend", "fullstack"}, "without a text all"},
		{strings.Repeat("backend ", 10) + "quartz", []string{"backend"}, "at most ten words"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, searchIDs(view, tt.query)); diff != "" {
			t.Errorf("%q (%s): %s", tt.query, tt.why, diff)
		}
	}
}

// TestFewestTypos holds that only the lowest number of typos at which any living role is found counts.
func TestFewestTypos(t *testing.T) {
	t.Parallel()
	ix := openTestIndex(t, Doc{ID: "data", Name: "data"}, Doc{ID: "date", Name: "date"}, Doc{ID: "date two", Name: "date"})
	if diff := cmp.Diff([]string{"data"}, searchIDs(ix.View(), "data")); diff != "" {
		t.Error(diff)
	}
	gone := ix.View().Overlay(map[string]*Doc{"data": nil})
	if diff := cmp.Diff([]string{"date", "date two"}, searchIDs(gone, "data")); diff != "" {
		t.Errorf("after the exact one is gone: %s", diff)
	}
	if diff := cmp.Diff([]string{"mine"}, searchIDs(gone.WithRolesFrom(newTestView(t, Doc{ID: "mine", Name: "data"}), []string{"mine"}), "data")); diff != "" {
		t.Errorf("with a role of one's own: %s", diff)
	}
}

// TestLongWords holds that words are cut alike in queries and roles.
func TestLongWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ж", 30)
	view := openTestIndex(t, Doc{ID: "long", Name: long}).View()
	if diff := cmp.Diff([]string{"long"}, searchIDs(view, long+"anything")); diff != "" {
		t.Error(diff)
	}
}
