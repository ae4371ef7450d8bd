package network_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// queries adds up what DynamoDB says that the queries of a function cost.
type queries struct {
	mu    sync.Mutex
	units float64
	// weak tells that one was not consistent.
	weak bool
}

// listen makes every client of a configuration tell.
func (q *queries) listen(cfg aws.Config) aws.Config {
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Units", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			out, meta, err := next.HandleInitialize(ctx, in)
			if result, ok := out.Result.(*dynamodb.QueryOutput); ok {
				q.mu.Lock()
				defer q.mu.Unlock()
				q.units += aws.ToFloat64(result.ConsumedCapacity.CapacityUnits)
				q.weak = q.weak || !aws.ToBool(in.Parameters.(*dynamodb.QueryInput).ConsistentRead)
			}
			return out, meta, err
		}), middleware.Before)
	})
	return cfg
}

// take returns the units since the last time.
func (q *queries) take() float64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	units := q.units
	q.units = 0
	return units
}

// newCrowd is an agency with so many members of typical size, and a function that
// tells what its queries cost.
func newCrowd(t testing.TB, size int) (*testService, *queries) {
	t.Helper()
	const agency, owner = "0192f0c1-2345-7abc-8def-0123456789ab", "0192f0c1-2345-7abc-8def-0123456789ac"
	q := &queries{}
	b := newTestService(t)
	b.putAgency(testAgency{
		Agency:  account.Agency{ID: agency, Name: "C", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: owner},
		Members: map[string]account.Member{owner: {ID: owner, Name: "Cora", Email: "cora@example.com", Owner: true, Approved: true}},
	})
	b.key = b.newKey(agency, owner)
	b.ingestMany(network.Candidate{
		Tenant: tenant.Of(agency, "test"), OwnerID: owner, Name: "Ada Bee Example", Email: "ada.b.123456@example.com", LinkedInURL: "https://www.linkedin.com/in/ada-bee-123456",
		Title: "Senior Software Engineer", Company: "Example Industries", Location: "San Francisco Bay Area", Preferences: newPreferences(90_000), ResumeKey: "resumes/x",
	}, size)
	host := b.host
	host.AWS, host.Log = q.listen(host.AWS), slog.New(slog.DiscardHandler)
	b.Handler = b.openHandler(host)
	return b, q
}

// ingestMany ingests a candidate and copies the list row until there are so many.
func (b *testService) ingestMany(c network.Candidate, size int) {
	b.t.Helper()
	id := b.mustIngest(c)
	table := cloudtest.TableOf(b.t, b.host, networkTable)
	var rows []dynamo.Item
	b.must(table.Get(topology.PK, "A#"+string(c.Tenant)).All(b.t.Context(), &rows))
	copies := make([]any, size-1)
	for n := range copies {
		row := maps.Clone(rows[0])
		added, err := dynamo.Marshal(fmt.Sprintf("%013d#%s%04d", 5_000_000_000_000+n, id[:len(id)-4], n%10_000))
		b.must(err)
		row[topology.SK] = added
		copies[n] = row
	}
	for part := range slices.Chunk(copies, 1000) {
		_, err := table.Batch(topology.PK, topology.SK).Write().Put(part...).Run(b.t.Context())
		b.must(err)
	}
}

// pageUnits reads the first rows through the handler and answers what the query cost.
func (b *testService) pageUnits(q *queries, limit int) float64 {
	b.t.Helper()
	q.take()
	if got := len(b.listCandidates(fmt.Sprint("?limit=", limit)).Candidates); got != limit {
		b.t.Fatalf("got %d rows, want %d", got, limit)
	}
	return q.take()
}

// Twenty rows cost two read units at most, whatever the size of the list: as
// DynamoDB tells of the handler's own consistent query, which reads one row more.
// An eventually consistent one would cost half.
func TestUnitsOfAPage(t *testing.T) {
	t.Parallel()
	for _, size := range []int{200, 3000} {
		b, q := newCrowd(t, size)
		for _, limit := range []int{20, 50, 100} {
			if got, most := b.pageUnits(q, limit), float64(limit)/10; got == 0 || got > most || q.weak {
				t.Errorf("%d of %d rows cost %v units, eventually consistent ones among them: %t; want at most %v", limit, size, got, q.weak, most)
			}
		}
	}
}

// BenchmarkList pages through a long list and a short one in turns: "ratio" is the
// time of a page of the long one in times of the short one's (the limit is
// 1.2), "units" what 20 rows of it cost.
func BenchmarkList(b *testing.B) {
	short, _ := newCrowd(b, 200)
	long, q := newCrowd(b, 200_000)
	var times [2][]time.Duration
	var cursors [2]string
	for b.Loop() {
		for i, s := range []*testService{short, long} {
			s.Move(time.Second)
			begin := time.Now()
			page := s.listCandidates("?limit=20" + cursors[i])
			times[i] = append(times[i], time.Since(begin))
			if cursors[i] = ""; page.NextCursor != nil {
				cursors[i] = "&cursor=" + *page.NextCursor
			}
		}
	}
	var medians [2]float64
	for i := range times {
		medians[i] = float64(slices.Sorted(slices.Values(times[i]))[len(times[i])/2].Microseconds()) / 1000
	}
	b.ReportMetric(medians[0], "ms/200")
	b.ReportMetric(medians[1], "ms/200000")
	b.ReportMetric(medians[1]/medians[0], "ratio")
	b.ReportMetric(long.pageUnits(q, 20), "units")
}
