package bench

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// perTypoRemote is perTypo for an engine in another process.
const perTypoRemote = 200

// domain is an OpenSearch that .ci/opensearch has started, filled with the roles.
type domain struct {
	*opensearch.Index
	filled time.Duration
	before domainUse // when it was empty
}

// domainUse is what an OpenSearch has used.
type domainUse struct {
	cpu            time.Duration
	heapMB, diskMB float64
}

func readUse() (use domainUse) {
	var stats struct {
		Nodes map[string]struct {
			Process struct {
				CPU struct {
					Millis int64 `json:"total_in_millis"`
				} `json:"cpu"`
			} `json:"process"`
			JVM struct {
				Mem struct {
					Heap float64 `json:"heap_used_in_bytes"`
				} `json:"mem"`
			} `json:"jvm"`
			Indices struct {
				Store struct {
					Size float64 `json:"size_in_bytes"`
				} `json:"store"`
			} `json:"indices"`
		} `json:"nodes"`
	}
	resp, err := http.Get(os.Getenv(topology.SettingSearchURL) + "/_nodes/stats/process,jvm,indices")
	must(err)
	defer resp.Body.Close()
	must(json.NewDecoder(resp.Body).Decode(&stats))
	for _, n := range stats.Nodes {
		use = domainUse{time.Duration(n.Process.CPU.Millis) * time.Millisecond, n.JVM.Mem.Heap / 1e6, n.Indices.Store.Size / 1e6}
	}
	return use
}

// filledDomain fills the domain with the roles once.
var filledDomain = sync.OnceValue(func() domain {
	index, err := opensearch.Open(cloud.NewHost(os.Getenv, time.Now, slog.New(slog.DiscardHandler)))
	must(err)
	docs, d := publishedDocs(), domain{Index: index, before: readUse()}
	begun := time.Now()
	must(index.Fill(context.Background(), begun, rand.Text(), func(w opensearch.Writer) error {
		states := make([]opensearch.State, len(docs))
		for i := range docs {
			states[i] = opensearch.State{ID: docs[i].ID, Revision: 1, Shared: &docs[i]}
		}
		return w.Write(context.Background(), states)
	}))
	d.filled = time.Since(begun)
	return d
})

func requireDomain(b *testing.B) domain {
	b.Helper()
	if os.Getenv(topology.SettingSearchURL) == "" {
		b.Skip("no SEARCH_URL: .ci/opensearch sets it")
	}
	return filledDomain()
}

// BenchmarkRolesDomainBuild is one fill; times other than cpu-s are of the clock.
func BenchmarkRolesDomainBuild(b *testing.B) {
	d := requireDomain(b)
	use := readUse()
	for b.Loop() {
	}
	b.ReportMetric((use.cpu - d.before.cpu).Seconds(), "cpu-s")
	b.ReportMetric(float64(len(publishedDocs()))/d.filled.Seconds(), "roles/s")
	b.ReportMetric(use.diskMB, "file-MB")
	b.ReportMetric(use.heapMB, "heap-MB")
}

// BenchmarkRolesDomainQuery is [BenchmarkRolesQuery] on the domain, by the clock: what a caller
// waits for. Its cpu-ms is that of both processes, a query.
func BenchmarkRolesDomainQuery(b *testing.B) {
	d := requireDomain(b)
	none, err := roleindex.Open(roleindex.Build(nil))
	if err != nil {
		b.Fatal(err)
	}
	scope := opensearch.Scope{View: none.View()}
	var times []time.Duration
	engine := func(query string) (ids []string) {
		begun := time.Now()
		page, _, err := d.Search(b.Context(), roleindex.Query{Text: query}, scope)
		if err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(begun))
		for _, r := range page.Rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
	own := cpuTime()
	before := readUse()
	recall := map[trial.Typo]float64{}
	for b.Loop() {
		for _, way := range trial.Typos {
			recall[way] = trial.Recall(engine, trial.Pairs(publishedDocs(), way, perTypoRemote))
		}
	}
	spent := readUse().cpu - before.cpu + cpuTime() - own
	b.ReportMetric(float64(spent)/1e6/float64(len(times)), "cpu-ms")
	reportPercentiles(b, times, "ms")
	for way, share := range recall {
		b.ReportMetric(share, "recall:"+strings.ReplaceAll(string(way), " ", "-"))
	}
	requireRecall(b, recall)
}
