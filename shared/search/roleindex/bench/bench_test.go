// Package bench compares the embedded role index with OpenSearch and bleve in one run and one
// table, with the same roles and the same queries. It is a separate module, so that the deployed
// module does not depend on bleve.
//
//	make bench BENCH=Roles               100,000 roles
//	make bench BENCH=Roles ROLES=1000000
//
// OpenSearch is included if .ci/opensearch has started one. All engines return results in Browse
// order and allow the same typos. Recall compares each engine with itself (see local/demo/trial);
// the embedded index and OpenSearch must reach the promised recall.
package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// perTypo is the number of queries for each kind of typo. Each query is run with and without the
// typo.
const perTypo = 200

// engine is a search engine that can be measured.
type engine struct {
	name string
	// build builds the index of the roles and returns its size in bytes.
	build func(b *testing.B, docs []roleindex.Doc) (size float64)
	// open opens the index that build built.
	open func(b *testing.B) (trial.Engine, func())
	// use returns the processor time and the resident bytes of all the engine's processes so far.
	use func(b *testing.B) use
	// isPromised reports whether the engine's recall must reach minRecall.
	isPromised bool
}

// use is the resource usage of processes.
type use struct {
	cpu      time.Duration
	resident float64
}

// result is a row of the table.
type result struct {
	name                 string
	built, builtCPU      time.Duration
	size, resident       float64
	median, slow, perCPU time.Duration
	recall               map[trial.Typo]float64
}

func BenchmarkRoles(b *testing.B) {
	roles, err := strconv.Atoi(cmp.Or(os.Getenv("ROLES"), "100000"))
	if err != nil {
		b.Fatalf("ROLES: %v", err)
	}
	docs := trial.Docs(roles, time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC))
	pairs := map[trial.Typo][]trial.Pair{}
	for _, way := range trial.Typos {
		pairs[way] = trial.Pairs(docs, way, perTypo)
	}
	engines := []engine{embeddedEngine(), bleveEngine(b.TempDir())}
	if os.Getenv(topology.SettingSearchURL) != "" {
		engines = slices.Insert(engines, 1, domainEngine())
	}
	for b.Loop() {
		var results []result
		for _, e := range engines {
			results = append(results, e.measure(b, docs, pairs))
		}
		for _, r := range results {
			b.ReportMetric(float64(r.perCPU)/1e6, r.name+"-cpu-ms/query")
			b.ReportMetric(r.recall[trial.OneEdit], r.name+"-recall")
		}
		fmt.Printf("\n\n%d roles, %d queries\n%s\n", roles, 2*perTypo*len(trial.Typos), formatTable(results, roles))
	}
}

func (e engine) measure(b *testing.B, docs []roleindex.Doc, pairs map[trial.Typo][]trial.Pair) result {
	r := result{name: e.name, recall: map[trial.Typo]float64{}}
	debug.FreeOSMemory()
	begun := time.Now()
	before := e.use(b)
	r.size = e.build(b, docs)
	r.built = time.Since(begun)
	r.builtCPU = e.use(b).cpu - before.cpu
	find, closeIndex := e.open(b)
	defer closeIndex()
	trial.Recall(find, pairs[trial.Typos[0]]) // warms up: a virtual machine compiles its code, and files are read
	var times []time.Duration
	runtime.GC()
	opened := e.use(b)
	for _, way := range trial.Typos {
		r.recall[way] = trial.Recall(func(query string) []string {
			begun := time.Now()
			defer func() { times = append(times, time.Since(begun)) }()
			return find(query)
		}, pairs[way])
	}
	after := e.use(b)
	debug.FreeOSMemory()
	r.resident = e.use(b).resident - before.resident
	slices.Sort(times)
	r.median = times[len(times)/2]
	r.slow = times[len(times)*99/100]
	r.perCPU = (after.cpu - opened.cpu) / time.Duration(len(times))
	for way, want := range minRecall {
		if e.isPromised && r.recall[way] < want {
			b.Errorf("%s, %s: recall %.3f; want %.2f", e.name, way, r.recall[way], want)
		}
	}
	return r
}

// minRecall is the recall that is promised.
var minRecall = map[trial.Typo]float64{trial.OneEdit: 0.93, trial.TwoEdits: 0.90, trial.Swap: 0.97, trial.Prefix: 0.90}

// formatTable returns the table, with one row for each engine.
func formatTable(results []result, roles int) string {
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "engine\troles/s\tbuild CPU s\tfile MB\tmemory MB\tp50 ms\tp99 ms\tCPU ms/query\t")
	for _, way := range trial.Typos {
		fmt.Fprintf(table, "recall %s\t", way)
	}
	fmt.Fprintln(table)
	ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%.0f\t%.1f\t%.1f\t%.0f\t%.2f\t%.2f\t%.2f\t", r.name, float64(roles)/r.built.Seconds(), r.builtCPU.Seconds(),
			r.size/1e6, r.resident/1e6, ms(r.median), ms(r.slow), ms(r.perCPU))
		for _, way := range trial.Typos {
			fmt.Fprintf(table, "%.2f\t", r.recall[way])
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush()
	return out.String()
}

// byID returns documents by their ids; of several with one id, the last.
func byID(docs ...roleindex.Doc) map[string]*roleindex.Doc {
	all := map[string]*roleindex.Doc{}
	for i := range docs {
		all[docs[i].ID] = &docs[i]
	}
	return all
}

// embeddedEngine is the role index as the roles function holds it, in as many shards as a
// generation of that many roles has.
func embeddedEngine() engine {
	var files [][]byte
	return engine{
		name: "embedded", use: ownUse, isPromised: true,
		build: func(_ *testing.B, docs []roleindex.Doc) (size float64) {
			shards := 1
			for len(docs) > shards<<16 {
				shards *= 2
			}
			for i := range shards {
				var part []roleindex.Doc
				for j := i; j < len(docs); j += shards {
					part = append(part, docs[j])
				}
				files = append(files, roleindex.Build(byID(part...)))
				size += float64(len(files[i]))
			}
			return size
		},
		open: func(b *testing.B) (trial.Engine, func()) {
			var indexes []*roleindex.Index
			for _, file := range files {
				index, err := roleindex.Open(file)
				if err != nil {
					b.Fatal(err)
				}
				indexes = append(indexes, index)
			}
			view := roleindex.Join(indexes...)
			return func(query string) (ids []string) {
				for _, r := range view.Search(roleindex.Query{Text: query}).Rows {
					ids = append(ids, r.ID)
				}
				return ids
			}, func() { files = nil }
		},
	}
}

// ownUse returns the usage of this process.
func ownUse(b *testing.B) use {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return use{time.Duration(u.Utime.Nano() + u.Stime.Nano()), residentBytes("self")}
}

// residentBytes returns the resident memory of a process. It needs /proc; elsewhere it is 0.
func residentBytes(pid string) float64 {
	status, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kilobytes * 1024
}
