package crm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// TiedIDs are ids of which every six in a row share a rank, if their times agree.
var TiedIDs = func() (all []string) {
	byRank := map[entity.Rank][]string{}
	for i := 0; len(all) < 600; i++ {
		id := fmt.Sprint("cand", i)
		rank := entity.RankOf(time.UnixMilli(0), id)
		byRank[rank] = append(byRank[rank], id)
		if len(byRank[rank]) == 6 {
			all = append(all, byRank[rank]...)
		}
	}
	return all
}()

// drawRows draws rows of few times and words, most of which share a rank with others.
func drawRows(t *rapid.T) (all []Row) {
	added := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC).UnixMilli()
	ids := rapid.OneOf(rapid.Just(TiedIDs[:60]), rapid.SliceOfDistinct(rapid.SampledFrom(TiedIDs[:60]), rapid.ID)).Draw(t, "ids")
	for _, id := range ids {
		all = append(all, Row{
			ID: id, AddedAt: added + rapid.Int64Range(0, 1).Draw(t, "added"),
			Name: rapid.SampledFrom([]string{"Ada Same", "Ada"}).Draw(t, "name"), OneLiner: rapid.SampledFrom([]string{"same", "other"}).Draw(t, "one-liner"),
			Status: rapid.SampledFrom([]string{"ACTIVE", "SOURCED"}).Draw(t, "status"), Tags: rapid.SampledFrom([][]string{nil, {"go"}}).Draw(t, "tags"),
		})
	}
	return all
}

// Pages of a CRM hold every row that passes once, in order, whichever rows are published and however
// many of them share a position.
func TestPublishedAndRecentRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := drawRows(t)
		changes := map[string]Row{}
		var published []Row
		recent := rapid.SampledFrom([]int{1, 3, 15}).Draw(t, "one recent row in")
		for _, r := range all {
			isRecent := rapid.IntRange(1, recent).Draw(t, "recent") == 1
			if isRecent {
				changes[r.ID] = r
			}
			if !isRecent || rapid.Bool().Draw(t, "was published before") {
				published = append(published, r)
			}
		}
		state := indexState{packRows(published), packRows(slices.Collect(maps.Values(changes))), changes}
		f := rapid.SampledFrom([]Filter{
			{Query: "same"}, {Query: "ada"}, {Query: "same", Tags: []string{"go"}}, {Tags: []string{"go"}}, {Statuses: []string{"ACTIVE"}},
		}).Draw(t, "filter")
		limit := rapid.IntRange(1, 50).Draw(t, "limit")
		if diff := gocmp.Diff(listWhole(all, f.newMatcher()), walkPages(t, state, f.newMatcher(), limit)); diff != "" {
			t.Fatalf("%+v by %d (-want +got):\n%s", f, limit, diff)
		}
	})
}

// listWhole returns the ids of the rows that pass, in the order of the list.
func listWhole(all []Row, m matcher) (ids []string) {
	passing := slices.DeleteFunc(slices.Clone(all), func(r Row) bool { return m.classifyRow(r) == noHit })
	slices.SortFunc(passing, func(a, b Row) int {
		return cmp.Or(cmp.Compare(m.classifyRow(a), m.classifyRow(b)), cmp.Compare(a.listRank(), b.listRank()), cmp.Compare(a.ID, b.ID))
	})
	for _, r := range passing {
		ids = append(ids, r.ID)
	}
	return ids
}

// walkPages returns the ids of all pages. A page is longer than the limit only if its rows share a
// position.
func walkPages(t *rapid.T, state indexState, m matcher, limit int) (ids []string) {
	for after := int64(0); ; {
		found, more := state.findPage(m, after, limit)
		page := found.cutPage(limit, more)
		if len(page.Rows) > limit && found[0].position != found[len(page.Rows)-1].position {
			t.Fatalf("a page of %d rows; the limit is %d", len(page.Rows), limit)
		}
		for _, r := range page.Rows {
			ids = append(ids, r.ID)
		}
		if page.Next == 0 {
			return ids
		}
		if page.Next <= after {
			t.Fatalf("the position went from %d to %d", after, page.Next)
		}
		after = page.Next
	}
}

// Statuses and tags are compared whole, each kind with its own, and no word of a query finds them: in a base as in rows.
func TestLabelsOfABase(t *testing.T) {
	t.Parallel()
	all := []Row{
		{ID: "a", Name: "Ada Go", Status: "ACTIVE", Tags: []string{"go", "rust and go"}},
		{ID: "b", Name: "Bo Rust", OneLiner: "active", Status: "SOURCED", Tags: []string{"ACTIVE", ""}},
		{ID: "c", Name: "Cy", Status: "ACTIVE", Tags: []string{"golang", "\x00ACTIVE", `go"`, "go\x01rust"}},
	}
	b := packRows(all)
	for _, f := range []Filter{
		{Tags: []string{"go"}}, {Tags: []string{"rust", "rust and go"}}, {Tags: []string{"ACTIVE"}}, {Tags: []string{""}}, {Tags: []string{"gol"}},
		{Statuses: []string{"ACTIVE"}}, {Statuses: []string{"ACTIV"}}, {Statuses: []string{"SOURCED", "ACTIVE"}, Tags: []string{"golang"}},
		{Tags: append(slices.Repeat([]string{"golang"}, 9), "rust and go", "ACTIVE")},
		{Query: "go"}, {Query: "active"}, {Query: "rust", Tags: []string{"ACTIVE"}}, {Query: "bo active", Statuses: []string{"SOURCED"}},
	} {
		var got []string
		for _, r := range b.findRows(f.newMatcher(), 0, 10, nil).Rows {
			got = append(got, r.ID)
		}
		if diff := gocmp.Diff(listWhole(all, f.newMatcher()), got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", f, diff)
		}
	}
}
