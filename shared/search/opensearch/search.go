package opensearch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Search returns a page of the roles that match a query, as [roleindex.View.Search] does, and the
// head of the index that they were found in.
//
// A text with only correctly spelt words costs one request, any other one two more: with how
// many typos each word is found, then the stages of the text.
func (x *Index) Search(ctx context.Context, q roleindex.Query, s Scope) (_ roleindex.Page, _ Head, err error) {
	defer fault.Wrap(&err, "opensearch.Search")

	t := &search{Index: x, client: x.searches, query: q, scope: s, words: roleindex.ParseWords(q.Text), plans: []roleindex.Plan{{}}}
	if t.query.Text != "" && len(t.words) == 0 {
		_, err := t.multiSearch(ctx, nil)
		return roleindex.Page{}, t.head, err
	}
	page, err := q.FindPage(func(n int) ([]roleindex.Row, error) { return t.firstRows(ctx, n) })
	return page, t.head, err
}

type search struct {
	*Index
	client client
	query  roleindex.Query
	scope  Scope
	words  []roleindex.Word
	// plans are tried one after the other: the first one by which any role matches is the text's.
	// After the first answer with roles, only the plan is left by which they matched.
	plans []roleindex.Plan
	head  Head
}

func (t *search) firstRows(ctx context.Context, n int) ([]roleindex.Row, error) {
	rows, found, err := t.rowsByPlan(ctx, n)
	if err != nil || found || len(t.words) == 0 {
		return rows, err
	}
	typos, err := t.fewestTypos(ctx)
	if err != nil {
		return nil, err
	}
	t.plans = nil
	for stage := range roleindex.Stages {
		t.plans = append(t.plans, roleindex.Plan{Stage: stage, Typos: typos})
	}
	rows, _, err = t.rowsByPlan(ctx, n)
	return rows, err
}

// rowsByPlan returns the first n rows by the first of the plans by which any role matches, and keeps only that one.
// found is false if none does.
func (t *search) rowsByPlan(ctx context.Context, n int) (rows []roleindex.Row, found bool, err error) {
	requests := make([]object, len(t.plans))
	for i, p := range t.plans {
		requests[i] = t.pageRequest(p, n)
	}
	answers, err := t.multiSearch(ctx, requests)
	if err != nil {
		return nil, false, err
	}
	for i, p := range t.plans {
		changed, found := t.scope.View.SearchBy(t.query, p, n)
		if !found && answers[i].Hits.Total.Value == 0 {
			continue
		}
		var unchanged []roleindex.Row
		for _, h := range answers[i].Hits.Hits {
			row := h.Source.Row
			row.Score = int(h.Score)
			unchanged = append(unchanged, row)
		}
		rows, _ := paging.Merge(t.compareRows,
			paging.Part[roleindex.Row]{Rows: changed, More: len(changed) == n},
			paging.Part[roleindex.Row]{Rows: unchanged, More: len(unchanged) == n})
		t.plans = []roleindex.Plan{p}
		return rows[:min(n, len(rows))], true, nil
	}
	return nil, false, nil
}

func (t *search) compareRows(a, b roleindex.Row) int {
	if t.query.Sort == roleindex.UpdateOrder {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
}

// lastID sorts behind every id.
const lastID = "\U0010FFFF"

func (t *search) pageRequest(p roleindex.Plan, n int) object {
	all, not := filterConditions(&t.query)
	all = append(all, t.scope.conditions())
	for i := range t.words {
		all = append(all, matchPlanned(t.words, i, p, false, searchedFields(p.Stage == roleindex.InProse)...))
	}
	request := object{
		"size": n, "track_total_hits": 1, "_source": []string{"id", "key", "updated"}, "query": allOf(all, not),
	}
	after := t.query.After
	switch t.query.Sort {
	case roleindex.UpdateOrder:
		request["sort"] = []any{object{"updated": "desc"}, "id"}
		if after := t.query.AfterUpdated; after != nil {
			request["search_after"] = []any{after.UpdatedAt, after.ID}
		}
	case roleindex.RelevanceOrder:
		request["sort"] = []string{"_score", "key", "id"}
		scored := object{"filter": request["query"], "should": relevanceParts(t.words, p)}
		request["query"] = object{"bool": scored}
		if after > 0 {
			score, key := roleindex.SplitPosition(after)
			request["search_after"] = []any{score, key, lastID}
		}
	default:
		request["sort"] = []string{"key", "id"}
		if after > 0 {
			request["search_after"] = []any{after, lastID}
		}
	}
	return request
}

// fewestTypos returns with how many typos each word is found that a stage looks for.
func (t *search) fewestTypos(ctx context.Context) (map[roleindex.Word]int, error) {
	type probe struct {
		word  roleindex.Word
		typos int
	}
	var probes []probe
	var requests []object
	fewest := map[roleindex.Word]int{}
	for i, word := range t.words { // as it is, joined, and in prose, each once
		described := word
		described.Prose = true
		for _, w := range append(roleindex.JoinNeighbours(t.words, i), word, described) {
			if _, isAsked := fewest[w]; isAsked {
				continue
			}
			fewest[w] = t.scope.View.FewestTypos(w)
			for typos := range w.Typos + 1 {
				probes = append(probes, probe{w, typos})
				requests = append(requests, object{"size": 0, "track_total_hits": 1, "terminate_after": 1,
					"query": allOf([]object{t.scope.conditions(), matchIn(searchedFields(w.Prose), w, typos)}, nil)})
			}
		}
	}
	answers, err := t.multiSearch(ctx, requests)
	if err != nil {
		return nil, err
	}
	for i, p := range probes {
		isFewer := fewest[p.word] < 0 || p.typos < fewest[p.word]
		if isFewer && answers[i].Hits.Total.Value > 0 {
			fewest[p.word] = p.typos
		}
	}
	return fewest, nil
}

type answer struct {
	Status int             `json:"status"`
	Error  json.RawMessage `json:"error"`
	Hits   struct {
		Total struct {
			Value int `json:"value"`
		} `json:"total"`
		Hits []struct {
			Score  float64 `json:"_score"`
			Source struct {
				document
				Head
			} `json:"_source"`
		} `json:"hits"`
	} `json:"hits"`
}

// multiSearch runs searches in one request, and notes the oldest head that it saw.
func (t *search) multiSearch(ctx context.Context, requests []object) ([]answer, error) {
	var body []byte
	for _, r := range append(requests, headRequest) {
		body = appendLine(appendLine(body, object{}), r)
	}
	var out struct {
		Responses []answer `json:"responses"`
	}
	path := t.alias + "/_msearch?filter_path=responses.status,responses.error,responses.hits"
	if err := t.send(ctx, t.client, http.MethodPost, path, body, &out); err != nil {
		return nil, err
	}
	if len(out.Responses) != len(requests)+1 {
		return nil, fmt.Errorf("%d answers to %d searches", len(out.Responses), len(requests)+1)
	}
	for _, a := range out.Responses {
		if a.Status == http.StatusNotFound {
			return nil, ErrAbsent
		}
		if a.Status != http.StatusOK {
			return nil, fmt.Errorf("a search has status %d: %.300s", a.Status, a.Error)
		}
	}
	last := out.Responses[len(requests)].Hits.Hits
	if len(last) == 0 {
		return nil, ErrAbsent
	}
	if head := last[0].Source.Head; t.head == (Head{}) || head.Until < t.head.Until {
		t.head = head
	}
	return out.Responses[:len(requests)], nil
}
