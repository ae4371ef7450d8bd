package network_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// queries adds up what DynamoDB says that the queries of a function cost.
type queries struct {
	mu    sync.Mutex
	units float64
	// weak says that a query was not consistent.
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

// take returns the units since the last time, and whether all queries were consistent.
func (q *queries) take() (units float64, consistent bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	units = q.units
	consistent = !q.weak
	q.units = 0
	q.weak = false
	return units, consistent
}

// The agency of the crowd, the owner of most of its candidates, and the owner of a few.
const crowdAgency, crowdOwner, rareOwner = "0192f0c1-2345-7abc-8def-0123456789ab", "0192f0c1-2345-7abc-8def-0123456789ac", "0192f0c1-2345-7abc-8def-0123456789ad"

// newCrowd returns a service with an agency that has size candidates of typical size, and the
// record of its queries.
func newCrowd(t testing.TB, size int) (*testService, *queries) {
	t.Helper()
	q := &queries{}
	b := newTestService(t)
	b.putAgency(testAgency{
		Agency: account.Agency{ID: crowdAgency, Name: "C", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: crowdOwner},
		Members: map[string]account.Member{
			crowdOwner: {ID: crowdOwner, Name: "Cora", Email: "cora@example.com", Owner: true, Approved: true},
			rareOwner:  {ID: rareOwner, Name: "Rhea", Email: "rhea@example.com", Approved: true},
		},
	})
	b.key = b.newKey(crowdAgency, crowdOwner)
	b.copyRows(b.mustIngest(newCrowdCandidate(0)), size)
	host := b.host
	host.AWS = q.listen(host.AWS)
	host.Log = slog.New(slog.DiscardHandler)
	b.Handler = b.openHandler(host)
	return b, q
}

func newCrowdCandidate(n int) network.Candidate {
	return network.Candidate{
		Tenant: tenant.Of(crowdAgency, "test"), OwnerID: crowdOwner, Preferences: newPreferences(90_000), ResumeKey: "resumes/x",
		Person: network.Person{
			Name: "Ada Bee Example", Email: fmt.Sprintf("ada.b.%06d@example.com", n), LinkedInURL: fmt.Sprintf("https://www.linkedin.com/in/ada-bee-%06d", n),
			Title: "Senior Software Engineer", Company: "Example Industries", Location: "San Francisco Bay Area",
		},
	}
}

// rareRows is roughly the number of rows in each rare group of a crowd: those of the rare owner,
// off the market, and expired.
const rareRows = 120

// copyRows copies the rows of one membership, in all lists, until the crowd has size candidates.
// The rare ones are spread evenly.
func (b *testService) copyRows(id string, size int) {
	b.t.Helper()
	table := cloudtest.TableOf(b.t, b.host, networkTable)
	list := "A#" + string(tenant.Of(crowdAgency, "test"))
	var rows []dynamo.Item
	b.must(table.Get(topology.PK, list).All(b.t.Context(), &rows))
	set := func(row dynamo.Item, name string, value any) dynamo.Item {
		stored, err := dynamo.Marshal(value)
		b.must(err)
		row = maps.Clone(row)
		row[name] = stored
		return row
	}
	var copies []any
	every := max(size/rareRows, 4)
	for n := range size - 1 {
		row := set(rows[0], topology.SK, fmt.Sprintf("%013d#%s%04d", 8_300_000_000_000+n, id[:len(id)-4], n%10_000)) // years ago
		owner := crowdOwner
		status := "on_market"
		switch n % every {
		case 1:
			owner = rareOwner
			row = set(row, "o", rareOwner)
		case 2:
			status = "off_market"
			row = set(row, "f", true)
		case 3:
			status = "expired"
			row = set(row, "x", 1)
		}
		copies = append(copies, row, set(row, topology.PK, list+"#s#"+status))
		row = maps.Clone(row)
		delete(row, "o")
		copies = append(copies, set(row, topology.PK, list+"#o#"+owner), set(row, topology.PK, list+"#o#"+owner+"#s#"+status))
	}
	for part := range slices.Chunk(copies, 1000) {
		_, err := table.Batch(topology.PK, topology.SK).Write().Put(part...).Run(b.t.Context())
		b.must(err)
	}
}

// pageUnits reads the first rows through the handler and returns what the query cost.
func (b *testService) pageUnits(q *queries, limit int) float64 {
	b.t.Helper()
	q.take()
	if got := len(b.listCandidates(fmt.Sprint("?limit=", limit)).Candidates); got != limit {
		b.t.Fatalf("got %d rows, want %d", got, limit)
	}
	units, _ := q.take()
	return units
}

// A page costs the same whatever the size of the list and its filter, as DynamoDB reports for the
// handler's own queries, which read one extra row. The first page is consistent, and later ones
// cost half.
func TestUnitsOfAPage(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1_000, cloudtest.Draws(3_000)} {
		b, q := newCrowd(t, size)
		for _, filter := range []string{
			"", "&status=on_market", "&status=off_market", "&status=expired",
			"&recruiterEmail=cora@example.com", "&recruiterEmail=rhea@example.com", "&status=on_market&recruiterEmail=rhea@example.com",
			"&status=off_market&recruiterEmail=cora@example.com", "&status=expired&recruiterEmail=cora@example.com",
		} {
			expired := strings.Contains(filter, "expired")
			for limit, most := range map[int]float64{50: 5, 100: 8} {
				if expired {
					most += 0.5 // for the index of memberships whose eligibility has just ended
				}
				q.take()
				first := b.listCandidates(fmt.Sprint("?limit=", limit, filter))
				if units, consistent := q.take(); len(first.Candidates) != limit || units == 0 || units > most || consistent == expired {
					t.Errorf("%d of %d rows, %s: %v units, consistent %t; want at most %v", len(first.Candidates), size, filter, units, consistent, most)
				} else {
					t.Logf("%d of %d rows, %s: %v units", limit, size, filter, units)
				}
				later := b.listCandidates(fmt.Sprint("?limit=", limit, filter, "&cursor=", *first.NextCursor))
				if units, consistent := q.take(); len(later.Candidates) < 15 || units > (most+1)/2 || consistent {
					t.Errorf("the next %d of %d rows, %s: %v units, consistent %t; want at most half", len(later.Candidates), size, filter, units, consistent)
				}
			}
		}
	}
}

// A later page is consistent as long as it can hold candidates who were just added.
func TestRecentPagesAreConsistent(t *testing.T) {
	t.Parallel()
	b, q := newCrowd(t, 20)
	b.mustIngest(newCrowdCandidate(1))
	next := *b.listCandidates("?limit=1").NextCursor
	for _, tt := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {2*time.Minute - time.Second, true}, {time.Second, false}} {
		b.Move(tt.after)
		q.take()
		if page := b.listCandidates("?limit=1&cursor=" + next); len(page.Candidates) != 1 {
			t.Errorf("got %+v", page)
		}
		if _, consistent := q.take(); consistent != tt.want {
			t.Errorf("after another %v the page is consistent: %t; want %t", tt.after, consistent, tt.want)
		}
	}
}

// A write with its rows in four lists costs the same whatever their length. A write that neither
// moves nor changes a row writes only the membership.
func TestUnitsOfWrites(t *testing.T) {
	t.Parallel()
	b, _ := newCrowd(t, 1)
	var log bytes.Buffer
	b.host.Log = cloud.NewLog(&log, "test")
	c := newCrowdCandidate(1)
	w := func() network.Write {
		b.Move(time.Second)
		return network.Write{Now: b.Now(), ID: b.newID()}
	}
	id := ""
	ingest := func(ctx context.Context) (err error) {
		b.Move(time.Second)
		c.SubmittedAt = b.Now()
		id, err = ingestOnce(ctx, b.store, b.write, c, b.newID(), b.Now())
		return err
	}
	member := func() network.Membership {
		m, _, err := b.store.Membership(t.Context(), id)
		b.must(err)
		return m
	}
	market := func(
		act func(
			*network.Store, context.Context, tenant.ID, []contract.CandidateReference, network.OwnerCheck, network.Write,
		) ([]contract.MarketResult, error),
	) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := act(b.store, ctx, c.Tenant, []contract.CandidateReference{{CandidateUserID: &id}}, func(context.Context, []string) (func(string) bool, error) {
				return func(string) bool { return true }, nil
			}, w())
			return err
		}
	}
	prefer := func(ctx context.Context) error {
		_, err := b.store.SetPreferences(ctx, member(), newPreferences(1), w())
		return err
	}
	for _, tt := range []struct {
		name string
		work func(context.Context) error
		most unitLine
	}{
		{"a new candidate", ingest, unitLine{2, 18}},
		{"the same again", ingest, unitLine{3, 22}},
		{"other preferences", prefer, unitLine{0, 10}},
		{"the same preferences", prefer, unitLine{0, 2}},
		{"off the market", market((*network.Store).OffMarket), unitLine{1, 16}},
		{"off again", market((*network.Store).OffMarket), unitLine{1, 2}},
		{"re-enabled", market((*network.Store).ReEnable), unitLine{1, 16}},
		{"a submission that puts on the market", func(ctx context.Context) error {
			b.must(market((*network.Store).OffMarket)(t.Context()))
			return ingest(ctx)
		}, unitLine{3, 24}},
		{"expired by the sweep", func(ctx context.Context) error {
			b.Move(network.DefaultEligibility)
			expire, expired := b.store.NewSweep(b.Now())
			_, err := expire(ctx, func() bool { return true })
			if n := expired.Load(); n != 2 {
				t.Errorf("%d are expired", n)
			}
			return err
		}, unitLine{10, 24}},
	} {
		got := b.measureUnits(&log, tt.work)
		t.Logf("%s: %+v", tt.name, got)
		if got.Write == 0 || got.Read > tt.most.Read || got.Write > tt.most.Write {
			t.Errorf("%s cost %+v units; want at most %+v", tt.name, got, tt.most)
		}
	}
}

// A candidate costs the same, but for one item more, however many others have the same address.
func TestUnitsOfASharedAddress(t *testing.T) {
	t.Parallel()
	b, _ := newCrowd(t, 1)
	var log bytes.Buffer
	b.host.Log = cloud.NewLog(&log, "test")
	for n := range 40 {
		c := newCrowdCandidate(n + 1)
		c.Email = "shared@example.com"
		got := b.measureUnits(&log, func(ctx context.Context) error {
			b.Move(time.Second)
			c.SubmittedAt = b.Now()
			_, err := ingestOnce(ctx, b.store, b.write, c, b.newID(), b.Now())
			return err
		})
		if most := (unitLine{2, 21}); got.Write == 0 || got.Read > most.Read || got.Write > most.Write {
			t.Errorf("candidate %d cost %+v units; want at most %+v", n, got, most)
		}
	}
}

// A lookup reads one item for a reference by id, two for a reference by identity, and one for the
// owner.
func TestUnitsOfLookups(t *testing.T) {
	t.Parallel()
	b, _ := newCrowd(t, 1_000)
	var log bytes.Buffer
	b.host.Log = cloud.NewLog(&log, "test")
	b.Handler = b.openHandler(b.host)
	id := b.mustIngest(newCrowdCandidate(1))
	for reference, most := range map[string]float64{
		byID(id): 2, `{"email":"ada.b.000001@example.com"}`: 3, `{"linkedinUrl":"https://www.linkedin.com/in/ada-bee-000001"}`: 3,
	} {
		b.sendRequest(http.MethodPost, lookupPath, candidates(reference))
		if got := b.lastUnits(&log); got.Read == 0 || got.Read > most {
			t.Errorf("%s cost %+v units; want at most %v", reference, got, most)
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
			cursors[i] = ""
			if page.NextCursor != nil {
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
