// Package bench compares the catalogue's index with bleve and OpenSearch: the same 100,000
// roles, the same queries, one run. It is a module of its own, so that bleve is
// no dependency of what is deployed.
//
// It starts a system, loads the roles by the commands of README, and measures the
// catalogue that this load has published:
//
//	make bench BENCH=Roles
//
// BENCH_DATA_DIR names the DATA_DIR of a system that runs already and has its roles.
//
// Times are processor time of the whole process; of OpenSearch, which runs where .ci/opensearch has
// started one, also those of the clock. All engines answer in Browse
// order and with the same typos allowed; recall compares each with itself (see
// local/demo/trial), and ours is held to what is promised.
package bench

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

const (
	size    = 100_000 // roles
	perTypo = 1_000   // queries of each way of misspelling
)

func publishedDocs() []roleindex.Doc { return published().Shared }

// bleveDir holds bleve's index, built once; TestMain removes it.
var bleveDir string

func TestMain(m *testing.M) {
	var err error
	if dir, err = os.MkdirTemp("", "bench"); err != nil {
		panic(err)
	}
	bleveDir = filepath.Join(dir, "roles.bleve")
	code := m.Run()
	stop()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var builtBleve = sync.OnceValues(func() (time.Duration, error) { // the processor time of the build
	publishedDocs()
	begin := cpuTime()
	err := buildBleve(bleveDir, publishedDocs())
	return cpuTime() - begin, err
})

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkRolesBuild(b *testing.B) {
	b.Run("own", func(b *testing.B) {
		publishedDocs()
		runtime.GC()
		var spent time.Duration
		var files [][]byte
		for b.Loop() {
			begin := cpuTime()
			files = published().Build(len(published().files))
			spent += cpuTime() - begin
		}
		b.ReportMetric(spent.Seconds()/float64(b.N), "cpu-s")
		b.ReportMetric(float64(len(slices.Concat(files...)))/1e6, "file-MB")
	})
	b.Run("bleve", func(b *testing.B) {
		spent, err := builtBleve()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(spent.Seconds(), "cpu-s")
		b.ReportMetric(dirSize(b, bleveDir)/1e6, "file-MB")
	})
}

func dirSize(b *testing.B, dir string) (total float64) {
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		total += float64(info.Size())
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return total
}

// BenchmarkRolesOpen is from a file on disk to the first answer.
func BenchmarkRolesOpen(b *testing.B) {
	b.Run("own", func(b *testing.B) {
		dir := b.TempDir()
		for i, file := range published().files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), file, 0o600); err != nil {
				b.Fatal(err)
			}
		}
		runtime.GC()
		measureRuns(b, func(int) {
			files := make([][]byte, len(published().files))
			for i := range files {
				var err error
				if files[i], err = os.ReadFile(filepath.Join(dir, fmt.Sprint(i))); err != nil {
					b.Fatal(err)
				}
			}
			ownEngine(b, files)("engineer")
		})
	})
	b.Run("bleve", func(b *testing.B) {
		if _, err := builtBleve(); err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		measureRuns(b, func(int) {
			index := openBleve(b)
			bleveEngine(index)("engineer")
			if err := index.Close(); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func ownEngine(b *testing.B, files [][]byte) trial.Engine {
	view, err := catalogue.Open(files...)
	if err != nil {
		b.Fatal(err)
	}
	return func(query string) (ids []string) {
		for _, r := range view.Search(roleindex.Query{Text: query}).Rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
}

func openBleve(b *testing.B) bleve.Index {
	index, err := bleve.OpenUsing(bleveDir, map[string]any{"read_only": true})
	if err != nil {
		b.Fatal(err)
	}
	return index
}

// BenchmarkRolesQuery runs clean and misspelt queries of every kind; an operation is all of them.
func BenchmarkRolesQuery(b *testing.B) {
	b.Run("own", func(b *testing.B) { requireRecall(b, measureQueries(b, ownEngine(b, published().files))) })
	b.Run("bleve", func(b *testing.B) {
		if _, err := builtBleve(); err != nil {
			b.Fatal(err)
		}
		index := openBleve(b)
		measureQueries(b, bleveEngine(index))
		if err := index.Close(); err != nil {
			b.Fatal(err)
		}
	})
}

// minRecall is the recall that is promised.
var minRecall = map[trial.Typo]float64{trial.OneEdit: 0.93, trial.TwoEdits: 0.90, trial.Swap: 0.97, trial.Prefix: 0.90}

func requireRecall(b *testing.B, recall map[trial.Typo]float64) {
	for way, want := range minRecall {
		if recall[way] < want {
			b.Errorf("%s: recall %.3f; want %.2f", way, recall[way], want)
		}
	}
}

// measureQueries times every query of the recall trial, and returns the recall.
func measureQueries(b *testing.B, engine trial.Engine) map[trial.Typo]float64 {
	var times []time.Duration
	timed := func(query string) []string {
		begin := cpuTime()
		defer func() { times = append(times, cpuTime()-begin) }()
		return engine(query)
	}
	pairs, recall := map[trial.Typo][]trial.Pair{}, map[trial.Typo]float64{}
	for _, way := range trial.Typos {
		pairs[way] = trial.Pairs(publishedDocs(), way, perTypo)
	}
	runtime.GC()
	for b.Loop() {
		for way, p := range pairs {
			recall[way] = trial.Recall(timed, p)
		}
	}
	reportPercentiles(b, times, "cpu-ms")
	for way, share := range recall {
		b.ReportMetric(share, "recall:"+strings.ReplaceAll(string(way), " ", "-"))
	}
	return recall
}

// measureRuns runs f and reports its processor time. It collects garbage before each run,
// so that f does not pay for what the benchmark holds besides the engine, which is most
// of the memory.
func measureRuns(b *testing.B, f func(i int)) {
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		runtime.GC()
		b.StartTimer()
		begin := cpuTime()
		f(i)
		times = append(times, cpuTime()-begin)
	}
	reportPercentiles(b, times, "cpu-ms")
}

func reportPercentiles(b *testing.B, times []time.Duration, unit string) {
	slices.Sort(times)
	ms := func(share float64) float64 { return float64(times[int(share*float64(len(times)-1))]) / 1e6 }
	b.ReportMetric(ms(0.5), "p50-"+unit)
	b.ReportMetric(ms(0.99), "p99-"+unit)
}
