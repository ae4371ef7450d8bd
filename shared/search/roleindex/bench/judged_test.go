package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// The judged queries are those of TestJudgedRelevance of package roleindex.
const (
	judgedRoles   = 10_000
	judgedQueries = 200
	reportedSeed  = 3
)

// BenchmarkJudged prints how good the first ten roles of the engines are, by grades that none of them
// knows. bleve and, if .ci/opensearch has started one, OpenSearch rank by scores of their own (BM25); they
// match the same typos and unfinished words as the role index.
func BenchmarkJudged(b *testing.B) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	docs := trial.Docs(judgedRoles, now)
	judged := trial.Judge(judgedRoles, now, reportedSeed, judgedQueries)
	index, err := roleindex.Open(roleindex.Build(byID(docs...)))
	if err != nil {
		b.Fatal(err)
	}
	engines := map[string]trial.Engine{
		"Browse order": sortedEngine(index.View(), roleindex.BrowseOrder), "relevance": sortedEngine(index.View(), roleindex.RelevanceOrder),
		"bleve": openScoredBleve(b, docs),
	}
	if origin := os.Getenv(topology.SettingSearchURL); origin != "" {
		engines["OpenSearch"] = fillBM25(b, origin, docs)
	}
	for b.Loop() {
		for _, name := range []string{"Browse order", "relevance", "bleve", "OpenSearch"} {
			find, ok := engines[name]
			if !ok {
				continue
			}
			fmt.Printf("%s: nDCG@10 %.3f", name, trial.NDCG(find, judged))
			for _, form := range []string{"clean", "misspelt", "unfinished"} {
				some := slices.DeleteFunc(slices.Clone(judged), func(j trial.Judged) bool { return j.Form != form })
				fmt.Printf(", %s (%d) %.3f", form, len(some), trial.NDCG(find, some))
			}
			fmt.Println()
		}
	}
}

func sortedEngine(view *roleindex.View, sort roleindex.Order) trial.Engine {
	return func(query string) (ids []string) {
		for _, r := range view.Search(roleindex.Query{Text: query, Sort: sort}).Rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
}

// openScoredBleve is an index of bleve that is searched for all words, by bleve's score.
func openScoredBleve(b *testing.B, docs []roleindex.Doc) trial.Engine {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "judged.bleve")
	if err := buildBleve(dir, docs); err != nil {
		b.Fatal(err)
	}
	index, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = index.Close() })
	return func(typed string) (ids []string) {
		request := bleve.NewSearchRequestOptions(allWords(text.Words(typed), []string{"Text", "Description"}), 10, 0, false)
		request.SortBy([]string{"-_score", "Order"})
		found, err := index.Search(request)
		if err != nil {
			b.Fatal(err)
		}
		for _, h := range found.Hits {
			ids = append(ids, h.ID)
		}
		return ids
	}
}

// fillBM25 is an index of OpenSearch with texts analyzed by its standard analyzer, searched for all words
// in its usual way.
func fillBM25(b *testing.B, origin string, docs []roleindex.Doc) trial.Engine {
	b.Helper()
	name := fmt.Sprint("bm25-", time.Now().UnixNano())
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for i := range docs {
		d := &docs[i]
		others := strings.Join(slices.Concat([]string{d.OneLiner}, d.Places, d.Locations, d.RoleTypes, d.Industries, d.TechStack), " ")
		_ = encoder.Encode(map[string]any{"index": map[string]any{"_id": d.ID}})
		_ = encoder.Encode(map[string]any{
			"title": d.Name, "company": d.Company, "other": strings.Join(text.Words(others), " "), "description": d.Description,
		})
	}
	post(b, origin+"/"+name+"/_bulk?refresh=true&filter_path=errors", lines.Bytes(), new(any))
	return func(typed string) (ids []string) {
		raw, _ := json.Marshal(map[string]any{"size": 10, "_source": false, "query": bm25Query(text.Words(typed))})
		var out struct {
			Hits struct {
				Hits []struct {
					ID string `json:"_id"`
				} `json:"hits"`
			} `json:"hits"`
		}
		post(b, origin+"/"+name+"/_search", raw, &out)
		for _, h := range out.Hits.Hits {
			ids = append(ids, h.ID)
		}
		return ids
	}
}

func bm25Query(words []string) any {
	var must []any
	for i, w := range words {
		fields := []string{"title^3", "company^2", "other", "description^0.2"}
		should := []any{map[string]any{"multi_match": map[string]any{"query": w, "fields": fields, "fuzziness": "AUTO:4,8", "prefix_length": 1}}}
		if i == len(words)-1 {
			should = append(should, map[string]any{"multi_match": map[string]any{"query": w, "fields": fields, "type": "phrase_prefix"}})
		}
		must = append(must, map[string]any{"bool": map[string]any{"should": should, "minimum_should_match": 1}})
	}
	return map[string]any{"bool": map[string]any{"must": must}}
}

func post(b *testing.B, url string, body []byte, out any) {
	b.Helper()
	resp, err := http.Post(url, "application/x-ndjson", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= http.StatusBadRequest {
		b.Fatalf("%s: status %d", url, resp.StatusCode)
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		b.Fatal(err)
	}
}
