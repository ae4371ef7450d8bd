package roleindex_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

var now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// searchEngine searches the view.
func searchEngine(view *roleindex.View) trial.Engine {
	return func(query string) []string {
		var ids []string
		for _, r := range view.Search(roleindex.Query{Text: query}).Rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
}

// TestRecall holds how much of an answer survives a typo, on 10,000 roles.
func TestRecall(t *testing.T) {
	t.Parallel()
	docs := trial.Docs(10_000, now)
	ix, err := roleindex.Open(roleindex.Build(roleindex.ByID(docs...)))
	if err != nil {
		t.Fatal(err)
	}
	search := searchEngine(ix.View())
	for way, want := range map[trial.Typo]float64{trial.OneEdit: 0.93, trial.TwoEdits: 0.90, trial.Swap: 0.97, trial.Prefix: 0.90} {
		if got := trial.Recall(search, trial.Pairs(docs, way, 2000)); got < want {
			t.Errorf("%s: recall %.3f, want at least %.2f", way, got, want)
		} else {
			t.Logf("%s: recall %.3f", way, got)
		}
	}
}
