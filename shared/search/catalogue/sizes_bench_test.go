package catalogue_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// shardRoles is the most roles of a shard in BenchmarkSizes.
const shardRoles = 1 << 16

var benchTime = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// sized is a catalogue of many roles, what it took to make it, and what people type to search it.
type sized struct {
	view    *roleindex.View
	docs    []roleindex.Doc
	queries []roleindex.Query
	build   time.Duration
	open    time.Duration
	memory  float64 // MB
}

func newSized(b *testing.B, n int) (s sized) {
	b.Helper()
	s.docs = trial.Docs(n, benchTime)
	shards := 1
	for n > shards*shardRoles {
		shards *= 2
	}
	begun := processorTime()
	files := catalogue.BuildFiles(s.docs, shards)
	s.build = processorTime() - begun
	before := liveBytes()
	begun = processorTime()
	var err error
	s.view, err = catalogue.OpenFiles(files...)
	s.open = processorTime() - begun
	if err != nil {
		b.Fatal(err)
	}
	s.memory = liveBytes() - before
	for _, file := range files {
		s.memory += float64(len(file)) / 1e6
	}
	minimum := int64(150_000)
	for _, way := range trial.Typos {
		for i, p := range trial.Pairs(s.docs, way, 300) {
			for _, text := range []string{p.Clean, p.Misspelt} {
				q := roleindex.Query{Text: text}
				if i%2 == 0 {
					q.MinSalary = &minimum
					q.AnyOf = map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}, roleindex.Location: {"new_york", "san_francisco"}}
				}
				s.queries = append(s.queries, q)
			}
		}
	}
	return s
}

// liveBytes returns the megabytes of live objects.
func liveBytes() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc) / 1e6
}

// BenchmarkSizes searches catalogues of three sizes with what people type, misspelt in every way,
// half of it with filters.
func BenchmarkSizes(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newSized(b, n)
			reportTimes(b, len(s.queries), func(i int) { s.view.Search(s.queries[i]) })
			b.ReportMetric(s.build.Seconds(), "build-cpu-s")
			b.ReportMetric(float64(s.open)/1e6, "open-cpu-ms")
			b.ReportMetric(s.memory, "memory-MB")
		})
	}
}

// BenchmarkSizesByRelevance is the same in the order of relevance.
func BenchmarkSizesByRelevance(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newSized(b, n)
			for i := range s.queries {
				s.queries[i].Sort = roleindex.RelevanceOrder
			}
			reportTimes(b, len(s.queries), func(i int) { s.view.Search(s.queries[i]) })
		})
	}
}

// BenchmarkChanged searches 100,000 roles, and the same with 1,000 of them changed; "laid-over" is
// the change itself.
func BenchmarkChanged(b *testing.B) {
	s := newSized(b, 100_000)
	changes := map[string]*roleindex.Doc{}
	for _, d := range s.docs[:1000] {
		d.UpdatedAt = d.UpdatedAt.Add(time.Second)
		changes[d.ID] = &d
	}
	changed := s.view.Overlay(changes)
	b.Run("plain", func(b *testing.B) {
		reportTimes(b, len(s.queries), func(i int) { s.view.Search(s.queries[i]) })
	})
	b.Run("searched", func(b *testing.B) {
		reportTimes(b, len(s.queries), func(i int) { changed.Search(s.queries[i]) })
	})
	b.Run("laid-over", func(b *testing.B) { reportTimes(b, 100, func(int) { s.view.Overlay(changes) }) })
}

// reportTimes reports the median and the 99th percentile of f's processor time for n inputs. Every
// iteration runs f once for each, and the shortest of an input counts, because other work on the
// machine only adds.
func reportTimes(b *testing.B, n int, f func(i int)) {
	b.Helper()
	runtime.GC()
	times := slices.Repeat([]time.Duration{math.MaxInt64}, n)
	for b.Loop() {
		for i := range times {
			begun := processorTime()
			f(i)
			times[i] = min(times[i], processorTime()-begun)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2])/1e6, "p50-cpu-ms")
	b.ReportMetric(float64(times[len(times)*99/100])/1e6, "p99-cpu-ms")
}
