package roleindex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRelevanceOrder holds each rule of the order on roles that are in the opposite Browse order.
func TestRelevanceOrder(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		query string
		docs  []Doc // best first
	}{
		"title, company, other fields": {"lumen", []Doc{
			{Name: "Lumen Engineer"}, {Name: "Engineer", Company: "Lumen"}, {Name: "Engineer", OneLiner: "The lumen of streets"},
		}},
		"tech stack and keys like the one-liner": {"go", []Doc{
			{Name: "Go Engineer"}, {Company: "Go"}, {BrowseRank: 2, TechStack: []string{"Go"}}, {BrowseRank: 1, OneLiner: "Go there"},
		}},
		"descriptions last": {"ledger streets", []Doc{
			{Name: "Ledger", Description: "streets"}, {Company: "Ledger", Description: "streets"}, {OneLiner: "ledger", Description: "streets"}, {Description: "ledger streets"},
		}},
		"whole words before prefixes": {"senior eng", []Doc{
			{Name: "Senior", OneLiner: "eng"}, {Name: "Engineer, Senior"}, {Name: "Engineer", OneLiner: "senior"},
		}},
		"whole words with typos before prefixes with typos": {"enginear", []Doc{
			{OneLiner: "engineer"}, {Name: "Engineering"},
		}},
		"all words adjacent first": {"data engineer", []Doc{
			{Name: "Data Engineer"}, {Name: "Engineer, Big Data"}, {Name: "Engineer", TechStack: []string{"data"}},
		}},
		"adjacent with an unfinished word before a whole word apart": {"data eng", []Doc{
			{Name: "Data Engineer"}, {Name: "Eng of Data"},
		}},
		"adjacent with typos": {"dsta enginer", []Doc{
			{Name: "Big Data Engineer"}, {Name: "Engineer, Data"},
		}},
		"three words adjacent with typos": {"big dsta enginer", []Doc{
			{Name: "Big Data Engineer"}, {Name: "Engineer, Big Data"}, {Name: "Engineer of Data, Big", BrowseRank: 1},
		}},
		"adjacent in the name of the company": {"alder data", []Doc{
			{Name: "Designer", Company: "Alder Data"}, {Name: "Data of Alder"},
		}},
		"words of two fields are not adjacent": {"alder data", []Doc{
			{BrowseRank: 2, Name: "Data", Company: "Alder"}, {BrowseRank: 1, Name: "Data", Company: "Alder Systems"},
		}},
		"more words in the title first": {"senior data engineer", []Doc{
			{Name: "Engineer of Data, Senior"}, {Name: "Engineer of Data", OneLiner: "senior"}, {Name: "Engineer", OneLiner: "senior data"},
		}},
		"joined words count in their field": {"full stack", []Doc{
			{Name: "Fullstack Engineer"}, {Company: "Fullstack"}, {OneLiner: "fullstack"},
		}},
		"split words count in their field": {"fullstack", []Doc{
			{Name: "Full Stack Engineer"}, {Company: "Full Stack"}, {OneLiner: "full stack"},
		}},
		"then Browse order": {"engineer", []Doc{
			{Name: "Engineer", BrowseRank: 3}, {Name: "The Engineer", BrowseRank: 2}, {Name: "Engineer", BrowseRank: 1},
		}},
	} {
		var want []string
		docs := make([]Doc, 0, len(tt.docs)+1)
		for i, d := range tt.docs {
			d.ID = fmt.Sprint(i)
			if d.BrowseRank == 0 {
				d.BrowseRank = i + 1
			}
			want = append(want, d.ID)
			docs = append(docs, d)
		}
		view := openTestIndex(t, append(docs, Doc{ID: "other", Name: "Counsel", BrowseRank: 9})...).View()
		var got []string
		for _, row := range view.Search(Query{Text: tt.query, Sort: RelevanceOrder}).Rows {
			got = append(got, row.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// denseWords are so few that documents often have the words of a query as neighbours.
var denseWords = []string{"data", "date", "back", "end", "backend", "engineer", "engineering"}

func drawDensePhrase(t *rapid.T, least, most int, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(denseWords), least, most).Draw(t, label), " ")
}

func drawDenseDoc(t *rapid.T, id string) Doc {
	return Doc{
		ID: id, BrowseRank: rapid.IntRange(0, 1).Draw(t, "rank"), Name: drawDensePhrase(t, 0, 4, "name"), Company: drawDensePhrase(t, 0, 3, "company"),
		OneLiner: drawDensePhrase(t, 0, 2, "one-liner"), Description: drawDensePhrase(t, 0, 3, "description"),
	}
}

func drawDenseQuery(t *rapid.T) Query {
	return Query{
		Text: misspell(t, drawDensePhrase(t, 1, 4, "text")), Sort: RelevanceOrder, Limit: rapid.IntRange(1, 4).Draw(t, "limit"),
	}
}

// TestRelevanceIsTheModel is TestSearchIsTheModel on documents that differ in little but their scores.
func TestRelevanceIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var docs []Doc
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(roleIDs), 1, 12, rapid.ID).Draw(t, "ids") {
			docs = append(docs, drawDenseDoc(t, id))
		}
		view := joinParts(t, docs, rapid.IntRange(1, 3).Draw(t, "parts"))
		m := model(docs)
		if rapid.Bool().Draw(t, "changed") {
			docs[0] = drawDenseDoc(t, docs[0].ID)
			view = view.Overlay(map[string]*Doc{docs[0].ID: &docs[0]})
		}
		for range 4 {
			comparePages(t, view, m, drawDenseQuery(t))
		}
	})
}

// A role is found that is in a later index, after one with a lower score, and precedes the last of the best of the former index.
func TestBestOfLaterIndexes(t *testing.T) {
	t.Parallel()
	first := openTestIndex(t, Doc{ID: "a", Name: "Data", BrowseRank: 5}, Doc{ID: "b", Name: "Data", BrowseRank: 2},
		Doc{ID: "e", Name: "Data", BrowseRank: 1}) // one more than the limit, to know whether there is another page
	second := openTestIndex(t, Doc{ID: "c", OneLiner: "data", BrowseRank: 4}, Doc{ID: "d", Name: "Data", BrowseRank: 3})
	var ids []string
	for _, row := range Join(first, second).Search(Query{Text: "data", Sort: RelevanceOrder, Limit: 2}).Rows {
		ids = append(ids, row.ID)
	}
	if want := []string{"a", "d"}; !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
}

// TestPositionsOfRelevance holds that a position is split into what it was made of.
func TestPositionsOfRelevance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		row := Row{Score: rapid.IntRange(0, maxScore).Draw(t, "score"), Key: rapid.Uint64Range(1, 1<<53-1).Draw(t, "key")}
		position := RelevanceOrder.Position(row)
		if position < 1 || position >= 1<<53 {
			t.Fatalf("%d is no numeric cursor", position)
		}
		score, lastKey := SplitPosition(position)
		if score != row.Score || lastKey < row.Key || lastKey-row.Key >= 1<<droppedBits {
			t.Fatalf("%+v is at %d, which is score %d up to key %d", row, position, score, lastKey)
		}
		if RelevanceOrder.Position(Row{Score: score, Key: lastKey}) != position {
			t.Fatalf("the last key %d of %d is at another position", lastKey, position)
		}
	})
}
