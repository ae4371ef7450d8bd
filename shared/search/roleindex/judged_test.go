package roleindex_test

import (
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// The judged queries are those on which the figures of docs/performance.md were measured. No point was chosen
// by them: points are compared on queries of other seeds.
const (
	judgedRoles   = 10_000
	judgedQueries = 200
	judgedSeed    = 3
)

// minNDCG is a little less than was measured.
const minNDCG = 0.76

// TestJudgedRelevance holds how good the first ten roles are, by grades that know nothing of the search.
func TestJudgedRelevance(t *testing.T) {
	t.Parallel()
	ix, err := roleindex.Open(roleindex.Build(roleindex.ByID(trial.Docs(judgedRoles, now)...)))
	if err != nil {
		t.Fatal(err)
	}
	judged := trial.Judge(judgedRoles, now, judgedSeed, judgedQueries)
	relevance := trial.NDCG(sortedEngine(ix.View(), roleindex.RelevanceOrder), judged)
	browse := trial.NDCG(sortedEngine(ix.View(), roleindex.BrowseOrder), judged)
	t.Logf("nDCG@10 %.3f, in Browse order %.3f", relevance, browse)
	if relevance < minNDCG || relevance <= browse {
		t.Errorf("nDCG@10 is %.3f, in Browse order %.3f; want at least %.3f, and more", relevance, browse, minNDCG)
	}
}

// sortedEngine searches the view in an order.
func sortedEngine(view *roleindex.View, sort roleindex.Order) trial.Engine {
	return func(query string) (ids []string) {
		for _, r := range view.Search(roleindex.Query{Text: query, Sort: sort}).Rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
}
