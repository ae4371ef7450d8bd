package crm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	service "github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

var firstNames, lastNames = []string{"Ada", "José", "Σοφία", "Иван", "Mary", "Wei", "Fatima", "Łukasz", "Priya", "Tom"}, []string{"Example", "Müller", "Sample", "Okafor", "Lindqvist", "Testperson", "Novak", "Raman", "Straße", "Berg"}

// fillList stores the candidates from first up to but excluding end for olga, by the domain's own
// writer.
func (b *testService) fillList(first, end int) {
	b.t.Helper()
	var g errgroup.Group
	g.SetLimit(24)
	begin := b.Now()
	for i := first; i < end; i++ {
		g.Go(func() error {
			id := fmt.Sprintf("0192f0c1-2345-7abc-8def-%012d", i)
			return b.crm.Put(context.WithoutCancel(b.t.Context()), olga, id, entity.Stamp{Version: 1, At: begin}, &crm.Candidate{
				RecruiterID: olga, CandidateID: id, Name: fmt.Sprintf("%s %s-%d", firstNames[i%10], lastNames[i/10%10], i), Email: new(fmt.Sprintf("p%d@example.com", i)),
				LinkedInURL: new(fmt.Sprintf("https://www.linkedin.com/in/person-%d", i)), Location: new([]string{"San Francisco Bay Area", "Berlin, Germany", "東京"}[i%3]),
				OneLiner: new("Staff engineer who builds compilers and the teams around them"), CurrentRole: contract.Position{Company: new(fmt.Sprint("Example Works ", i%997)), Title: new("Staff Engineer")},
				RelationshipStatus: "SOURCED", Tags: []string{[]string{"rust", "go", "staff"}[i%3]}, AddedAt: contract.At(begin.Add(-time.Duration(i) * time.Minute)),
				Experiences: []contract.CRMExperience{{Company: new(fmt.Sprint("Sample & Sons ", i%101))}}, Note: new("Met at a conference."),
			})
		})
	}
	b.must(g.Wait())
}

// publishIndex publishes olga's index, if her CRM is large.
func (b *testService) publishIndex() {
	b.t.Helper()
	bucket := objectstore.Open(b.host.Opener(), topology.MarketplaceBucket)
	_, err := crm.NewIndex(b.crm, bucket, crm.DefaultLimits).Publish(b.t.Context(), crm.ChangeNotice{RecruiterID: olga})
	b.must(err)
}

// restartService is a new process of the function, with a hook around its calls.
func (b *testService) restartService(hook cloud.Hook) {
	b.t.Helper()
	host := b.host
	host.AWS = cloud.WithHook(host.AWS, hook)
	handler, err := service.New(b.t.Context(), host)
	b.must(err)
	b.Handler = handler
}

// BenchmarkCandidates asks for pages of the largest CRM without a base and of larger ones, warm and
// of a process that has not loaded the index, where every AWS call takes 3 ms longer. The times
// include the local database's own. CANDIDATES is the largest size.
func BenchmarkCandidates(b *testing.B) {
	d := newTestService(b)
	filled := 0
	largest, err := strconv.Atoi(os.Getenv("CANDIDATES"))
	if err != nil {
		largest = 20_000 // more take minutes to write
	}
	for _, size := range []int{99, 300, 999, 5000, 20_000, 50_000, 100_000} {
		if size > largest {
			break
		}
		begun := time.Now()
		d.fillList(filled, size)
		filled = size
		b.Logf("%d candidates written in %v", size, time.Since(begun))
		d.Set(d.Now().Add(time.Hour))
		begun = time.Now()
		d.publishIndex()
		b.Logf("published in %v", time.Since(begun))
		if size >= crm.DefaultLimits.Large {
			bucket := objectstore.Open(d.host.Opener(), topology.MarketplaceBucket)
			begun = time.Now()
			file, err := bucket.Get(b.Context(), crm.IndexPrefix+olga, 64<<20)
			d.must(err)
			b.Logf("its base of %d bytes fetched in %v", len(file), time.Since(begun))
		}
		for _, q := range []struct{ name, query string }{
			{"page", ""}, {"search", "?query=mary+7"}, {"rare", "?query=okafor-777+berlin"}, {"broad", "?query=s"}, {"tags", "?tags=rust"},
		} {
			for _, cold := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s of %d, cold %v", q.name, size, cold), func(b *testing.B) { d.measureSearch(b, q.query, cold) })
			}
		}
	}
}

func (b *testService) measureSearch(bench *testing.B, query string, cold bool) {
	m := &cloudtest.Waves{Delay: 3 * time.Millisecond}
	b.restartService(m.Hook)
	var took []time.Duration
	var calls, waves int
	var busy time.Duration
	if !cold {
		b.get(olga, candidatesPath+query)
	}
	for bench.Loop() {
		if cold {
			b.restartService(m.Hook)
		}
		b.Set(b.Now().Add(time.Second))
		m.Reset()
		start := time.Now()
		used := processorTime(bench)
		a := b.get(olga, candidatesPath+query)
		took = append(took, time.Since(start))
		busy += processorTime(bench) - used
		if a.Status != http.StatusOK {
			bench.Fatal(a.Body)
		}
		calls, waves = m.Reset()
	}
	slices.Sort(took)
	bench.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	bench.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	bench.ReportMetric(float64(busy.Microseconds())/1000/float64(len(took)), "cpu-ms")
	bench.ReportMetric(float64(calls), "calls")
	bench.ReportMetric(float64(waves), "waves")
}

// processorTime is the time that this process has worked, S3's stand-in included. It does
// not depend on what else the machine does.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// TestPageUnits pays at most two read units for a page of 20, in a CRM of any
// size, as the handler's own line says.
func TestPageUnits(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.fillList(0, 100)
	var log bytes.Buffer
	b.host.Log = cloud.NewLog(&log, "crm")
	b.restartService(func(_ context.Context, _ cloud.Call, send func() error) error { return send() })
	page := apitest.DecodeOK[contract.CRMCandidateList](t, b.get(olga, candidatesPath))
	var line struct {
		Calls int     `json:"calls"`
		Units float64 `json:"read_units"`
	}
	b.must(json.Unmarshal(log.Bytes(), &line))
	if len(page.Candidates) != 20 || page.NextCursor == nil || line.Calls != 2 || line.Units == 0 || line.Units > 2 {
		t.Errorf("%d candidates, %+v; want 20 for two read units at most", len(page.Candidates), line)
	}
	var used dynamo.ConsumedCapacity
	var rows []map[string]any
	_, err := cloudtest.TableOf(b.t, b.host, topology.Marketplace).Get(topology.PK, "U#"+olga).Range(topology.SK, dynamo.BeginsWith, "C#").
		Consistent(true).SearchLimit(21).ConsumedCapacity(&used).AllWithLastEvaluatedKey(t.Context(), &rows)
	if err != nil || used.Total != line.Units {
		t.Errorf("the database says %v, the line %v, %v", used.Total, line.Units, err)
	}
}
