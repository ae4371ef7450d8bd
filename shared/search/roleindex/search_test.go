package roleindex

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var start = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

// Small vocabularies, so that random documents and queries meet: near misses,
// joined words, digits, accents, other scripts.
var (
	vocabulary = []string{
		"senior", "senor", "backend", "back", "end", "engineer", "engineering", "fullstack", "full", "stack", "designer", "design",
		"data", "date", "k8s", "C++", "Zürich", "zurich", "product", "products", "manager", "東京", "инженер", "инженeр", "a", "an",
		"infrastructure", "platform", "platforms", "reliability",
	}
	locations  = []string{"boston", "new_york", "uk", "south_bay_area"}
	roleTypes  = []string{"backend_engineer", "full_stack_engineer", "data_engineer"}
	stacks     = []string{"Go", "go", "Node.js", "NODE.JS", "C++", "Élixir"}
	investors  = []string{"Alder Capital", "Ünder Ventures", "alder seed", "North Fund"}
	flags      = []Flag{SelfServeClosed, StoppedReviewing, VisaSponsorship}
	workplaces = []string{"REMOTE", "HYBRID", ""}
)

// roleIDs are few, so that changes meet, and every four of them share one hash.
var roleIDs = func() (out []string) {
	sharing := map[uint64][]string{}
	for i := 0; len(out) < 16; i++ {
		id := fmt.Sprint("role-", i)
		h := hashID(id)
		sharing[h] = append(sharing[h], id)
		if len(sharing[h]) == 4 {
			out = append(out, sharing[h]...)
		}
	}
	return out
}()

func drawID(t *rapid.T, label string) string { return rapid.SampledFrom(roleIDs).Draw(t, label) }

func drawSome[T any](t *rapid.T, from []T, most int, label string) []T {
	return rapid.SliceOfN(rapid.SampledFrom(from), 0, most).Draw(t, label)
}

func drawPhrase(t *rapid.T, most int, label string) string {
	return strings.Join(drawSome(t, vocabulary, most, label), " ")
}

func drawDoc(t *rapid.T, id string) Doc {
	return Doc{
		ID:         id,
		BrowseRank: rapid.IntRange(0, 1).Draw(t, "rank"),
		PostedAt:   start.Add(time.Duration(rapid.IntRange(0, 1).Draw(t, "posted")) * 40 * time.Minute),
		UpdatedAt:  start.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "updated")) * time.Millisecond),
		Name:       drawPhrase(t, 3, "name"), Company: drawPhrase(t, 2, "company"), OneLiner: drawPhrase(t, 3, "one-liner"), Description: drawPhrase(t, 5, "description"),
		Places: drawSome(t, vocabulary, 1, "places"), Locations: drawSome(t, locations, 2, "locations"), RoleTypes: drawSome(t, roleTypes, 2, "role types"),
		Workplace: rapid.SampledFrom(workplaces).Draw(t, "workplace"),
		TechStack: drawSome(t, stacks, 2, "stack"), Investors: drawSome(t, investors, 2, "investors"), Flags: drawSome(t, flags, 2, "flags"),
		SalaryLower: float64(rapid.SampledFrom([]int{0, 90_000, 99_499, 99_500, 1_200_000}).Draw(t, "low")),
		SalaryUpper: float64(rapid.SampledFrom([]int{0, 99_500, 998_499, 998_500, 1_300_000}).Draw(t, "high")),
		YearsMin:    float64(rapid.IntRange(0, 5).Draw(t, "from")), YearsMax: rapid.SampledFrom([]float64{0, 5, 5.5, 8}).Draw(t, "to"),
		FeePercent: rapid.SampledFrom([]float64{0, 12.5, 20, 20.1}).Draw(t, "fee"), CompanySize: rapid.SampledFrom([]int{0, 10, 200}).Draw(t, "size"),
	}
}

func drawOptional[T any](t *rapid.T, from []T, label string) *T {
	if rapid.IntRange(0, 11).Draw(t, "with "+label) < 11 {
		return nil
	}
	v := rapid.SampledFrom(from).Draw(t, label)
	return &v
}

func drawQuery(t *rapid.T) Query {
	q := Query{
		Text:      misspell(t, drawPhrase(t, rapid.IntRange(0, 3).Draw(t, "words"), "text")),
		MinSalary: drawOptional(t, []int64{0, 99_500, 100_400, 5_000_000}, "min salary"), MaxSalary: drawOptional(t, []int64{90_499, 99_499, 2_000_000}, "max salary"),
		MinYears: drawOptional(t, []float64{0, 5, 5.5, 9}, "min years"), MaxYears: drawOptional(t, []float64{0, 2}, "max years"),
		MinFeePercent:  drawOptional(t, []float64{0, 12.5, 20.1}, "fee"),
		MinCompanySize: drawOptional(t, []int64{0, 10, 11}, "min size"), MaxCompanySize: drawOptional(t, []int64{10, 500}, "max size"),
		AnyOf: map[Field][]string{}, Flags: map[Flag]bool{},
		Sort:  rapid.SampledFrom([]Order{BrowseOrder, UpdateOrder, RelevanceOrder}).Draw(t, "sort"),
		Limit: rapid.IntRange(1, 4).Draw(t, "limit"),
	}
	for f, values := range map[Field][]string{Location: append(locations, "mars"), RoleType: roleTypes, Workplace: workplaces, TechStack: stacks} {
		if rapid.IntRange(0, 11).Draw(t, "by field") == 11 {
			q.AnyOf[f] = drawSome(t, values, 2, "accepted")
		}
	}
	for _, f := range flags {
		if wanted := drawOptional(t, []bool{true, false}, "flag"); wanted != nil {
			q.Flags[f] = *wanted
		}
	}
	if rapid.IntRange(0, 11).Draw(t, "by investor") == 11 {
		q.Investors = drawSome(t, []string{"alder", "UNDER", "x", "fund", "\u0301"}, 2, "investor")
	}
	if rapid.IntRange(0, 11).Draw(t, "since") == 11 {
		q.PostedSince = start.Add(time.Hour)
	}
	return q
}

// misspell returns s with up to two typos.
func misspell(t *rapid.T, s string) string {
	r := []rune(s)
	for range rapid.IntRange(0, 2).Draw(t, "typos") {
		if len(r) < 2 {
			break
		}
		i := rapid.IntRange(0, len(r)-2).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			r[i], r[i+1] = r[i+1], r[i]
		case 1:
			r = slices.Delete(r, i, i+1)
		case 2:
			r = slices.Insert(r, i, 'e')
		case 3:
			r[i] = 'e'
		}
	}
	return string(r)
}

// drawView draws a view, made in one of the possible ways, and the documents that it must
// show.
func drawView(t *rapid.T) (*View, model) {
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom(roleIDs), 0, 12, rapid.ID).Draw(t, "ids")
	shown := map[string]Doc{}
	var docs []Doc
	for _, id := range ids {
		d := drawDoc(t, id)
		docs = append(docs, d)
		shown[id] = d
	}
	view := joinParts(t, docs, rapid.IntRange(1, 3).Draw(t, "parts"))
	for range rapid.IntRange(0, 2).Draw(t, "overlays") {
		changes := map[string]*Doc{}
		for range rapid.IntRange(0, 6).Draw(t, "changes") {
			id := drawID(t, "changed")
			d := drawDoc(t, id)
			changes[id] = &d
			shown[id] = d
			if rapid.Bool().Draw(t, "deleted") {
				changes[id] = nil
				delete(shown, id)
			}
		}
		view = view.Overlay(changes)
	}
	if rapid.Bool().Draw(t, "with own") {
		own := drawDoc(t, drawID(t, "own"))
		other := drawDoc(t, drawID(t, "another's"))
		view = view.WithRolesFrom(newTestView(t, own, other), []string{own.ID, "zz"})
		shown[own.ID] = own
	}
	return view, model(slices.Collect(maps.Values(shown)))
}

// joinParts returns a view of the documents in n indexes.
func joinParts(t interface{ Fatal(...any) }, docs []Doc, n int) *View {
	parts := make([][]Doc, n)
	indexes := make([]*Index, n)
	for i, d := range docs {
		parts[i%n] = append(parts[i%n], d)
	}
	for i, part := range parts {
		var err error
		indexes[i], err = Open(Build(byID(part...)))
		if err != nil {
			t.Fatal(err)
		}
	}
	return Join(indexes...)
}

// newTestView is a view of documents, the first in the file and the others on top of it; two
// with one id are one, the first.
func newTestView(t interface{ Fatal(...any) }, docs ...Doc) *View {
	base, err := Open(Build(byID(docs[0])))
	if err != nil {
		t.Fatal(err)
	}
	more := map[string]*Doc{}
	for _, d := range docs[1:] {
		if d.ID != docs[0].ID {
			more[d.ID] = &d
		}
	}
	return base.View().Overlay(more)
}

// TestSearchIsTheModel holds every answer, page by page, against the plain definition.
func TestSearchIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		view, m := drawView(t)
		for range 4 {
			q := drawQuery(t)
			if len(m) > 0 && rapid.Bool().Draw(t, "own terms") {
				q.Waived = map[Flag][]string{flags[0]: {m[0].ID, "zz"}}
				q.OfferedFees = map[string]float64{m[0].ID: 20.1, roleIDs[0]: 0, "zz": 50}
			}
			if len(m) > 0 && rapid.IntRange(0, 3).Draw(t, "by id") == 0 {
				q.Only = []string{m[0].ID, roleIDs[0], roleIDs[1], "zz"}
				q.Exclude = []string{roleIDs[1]}
			}
			comparePages(t, view, m, q)
		}
	})
}

// comparePages compares all pages of a query with those of the model.
func comparePages(t *rapid.T, view *View, m model, q Query) {
	for {
		want := m.searchModel(q)
		got := view.Search(q)
		if len(got.Rows) == 0 {
			got.Rows = nil
		}
		if len(want.Rows) == 0 {
			want.Rows = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%+v: %s", q, diff)
		}
		if !got.More {
			return
		}
		last := got.Rows[len(got.Rows)-1]
		q.After = q.Sort.Position(last)
		q.AfterUpdated = &Position{last.UpdatedAt, last.ID}
	}
}

// findRow returns the row of a role; ok is false if the view does not show the role.
func (v *View) findRow(id string) (row Row, ok bool) {
	at, ok := v.findRole(id)
	if ok {
		row = at.segment.rowAt(at.ordinal)
	}
	return row, ok
}

func (v *View) countRoles() (n int) {
	for _, s := range v.segments {
		for range s.live.membersFrom(0) {
			n++
		}
	}
	return n
}

// TestCompactIsBuild holds that merging segments returns the bytes of a new build.
func TestCompactIsBuild(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		view, m := drawView(t)
		if got := view.countRoles(); got != len(m) {
			t.Fatalf("%d roles, want %d", got, len(m))
		}
		if diff := cmp.Diff(Build(byID(m...)), view.Compact()); diff != "" {
			t.Fatal("Compact and Build differ")
		}
	})
}

// TestChangesReplaceEachOther holds that a role is shown once after every change, whether its order
// key stays as it is, changes, or returns to one that it had.
func TestChangesReplaceEachOther(t *testing.T) {
	t.Parallel()
	view := openTestIndex(t, docsSharingKeys()...).View()
	for i, rank := range []int{1, 1, 2, 1, 1} {
		state := int64(i + 2)
		changed := Doc{ID: roleIDs[1], UpdatedAt: time.UnixMilli(state), Name: "Engineer", BrowseRank: rank, PostedAt: start}
		view = view.Overlay(map[string]*Doc{changed.ID: &changed})
		if got := view.countRoles(); got != len(roleIDs) {
			t.Fatalf("state %d: %d roles, want %d", state, got, len(roleIDs))
		}
		if row, ok := view.findRow(roleIDs[1]); !ok || row.UpdatedAt != state {
			t.Errorf("the view has state %d (%v), want %d", row.UpdatedAt, ok, state)
		}
	}
}
