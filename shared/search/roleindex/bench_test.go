package roleindex_test

import (
	"runtime"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// big is what the benchmarks run on: 100,000 roles and their file.
var big = sync.OnceValues(func() ([]roleindex.Doc, []byte) {
	docs := trial.Docs(100_000, now)
	return docs, roleindex.Build(roleindex.ByID(docs...))
})

func bigView(b *testing.B) *roleindex.View {
	b.Helper()
	_, file := big()
	ix, err := roleindex.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	return ix.View()
}

// cpuTime is the processor time of this process; others on the machine do not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measureCPU runs f and reports its processor time: median and 99th percentile.
func measureCPU(b *testing.B, f func(i int)) {
	b.Helper()
	runtime.GC()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := cpuTime()
		f(i)
		times = append(times, cpuTime()-start)
	}
	slices.Sort(times)
	ms := func(share float64) float64 { return float64(times[int(share*float64(len(times)-1))]) / 1e6 }
	b.ReportMetric(ms(0.5), "p50-cpu-ms")
	b.ReportMetric(ms(0.99), "p99-cpu-ms")
}

func BenchmarkBuild(b *testing.B) {
	docs, file := big()
	b.ReportMetric(float64(len(file))/1e6, "file-MB")
	measureCPU(b, func(int) { roleindex.Build(roleindex.ByID(docs...)) })
	b.ReportMetric(float64(len(file))/1e6, "file-MB")
}

func BenchmarkOpen(b *testing.B) {
	bigView(b)
	measureCPU(b, func(int) { bigView(b) })
}

// BenchmarkSearch asks what people type, misspelt in every way, half of it with filters.
func BenchmarkSearch(b *testing.B) {
	docs, _ := big()
	view := bigView(b)
	queries := typedQueries(docs)
	measureCPU(b, func(i int) { view.Search(queries[i%len(queries)]) })
}

// BenchmarkSearchUpdated is the same in the order of the agency surface.
func BenchmarkSearchUpdated(b *testing.B) {
	docs, _ := big()
	view := bigView(b)
	queries := typedQueries(docs)
	measureCPU(b, func(i int) {
		q := queries[i%len(queries)]
		q.Sort = roleindex.UpdateOrder
		view.Search(q)
	})
}

// BenchmarkSearchRelevance is the same in the order of relevance.
func BenchmarkSearchRelevance(b *testing.B) {
	docs, _ := big()
	view := bigView(b)
	queries := typedQueries(docs)
	measureCPU(b, func(i int) {
		q := queries[i%len(queries)]
		q.Sort = roleindex.RelevanceOrder
		view.Search(q)
	})
}

// BenchmarkBrowse lists without a text.
func BenchmarkBrowse(b *testing.B) {
	view := bigView(b)
	minimum := int64(150_000)
	measureCPU(b, func(i int) {
		view.Search(roleindex.Query{MinSalary: &minimum, AnyOf: map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}}})
	})
}

func typedQueries(docs []roleindex.Doc) []roleindex.Query {
	var out []roleindex.Query
	minimum := int64(150_000)
	for _, way := range trial.Typos {
		for i, p := range trial.Pairs(docs, way, 1000) {
			for _, s := range []string{p.Clean, p.Misspelt} {
				q := roleindex.Query{Text: s}
				if i%2 == 0 {
					q.MinSalary = &minimum
					q.AnyOf = map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}, roleindex.Location: {"new_york", "san_francisco"}}
				}
				out = append(out, q)
			}
		}
	}
	return out
}

// BenchmarkOverlay merges changes to a base; BenchmarkCompact writes the next file.
func BenchmarkOverlay(b *testing.B) {
	docs, file := big()
	ix, err := roleindex.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	for name, n := range map[string]int{"200": 200, "1000": 1000} {
		changes := changeAll(docs[:n])
		b.Run(name, func(b *testing.B) { measureCPU(b, func(int) { ix.View().Overlay(changes) }) })
	}
}

// changeAll returns the documents a second later.
func changeAll(docs []roleindex.Doc) map[string]*roleindex.Doc {
	changes := map[string]*roleindex.Doc{}
	for _, d := range docs {
		d.UpdatedAt = d.UpdatedAt.Add(time.Second)
		changes[d.ID] = &d
	}
	return changes
}

func BenchmarkCompact(b *testing.B) {
	docs, file := big()
	ix, err := roleindex.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	view := ix.View().Overlay(changeAll(docs[:1000]))
	measureCPU(b, func(int) { view.Compact() })
}

// BenchmarkScan reads every role's columns as a matcher would.
func BenchmarkScan(b *testing.B) {
	view := bigView(b)
	measureCPU(b, func(int) { scanView(view) })
}

// scanView adds up weights of facets, checks the salary and the age.
func scanView(view *roleindex.View) (best float32) {
	for _, s := range view.Segments(roleindex.Query{AnyOf: map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}}}) {
		weights := make([]float32, s.FacetCount())
		for i := range weights {
			weights[i] = float32(i % 7)
		}
		for role := range s.Roles() {
			f := s.Facets(role)
			sum := float32(0)
			for i := range f.Len() {
				sum += weights[f.At(i)]
			}
			if figures := s.Figures(role); figures.SalaryUpper < 120 || figures.YearsMin > 80 {
				continue
			}
			best = max(best, sum/float32(1+s.PostedHour(role)))
		}
	}
	return best
}
