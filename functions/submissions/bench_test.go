package submissions_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// hundredItems returns the body of a bulk submit of 100 new candidates.
func (f *testService) hundredItems(resumeFileID string) string {
	run := uuid.NewString()
	items := make([]string, 100)
	for i := range items {
		items[i] = fmt.Sprintf(`{"name":"Ada Example","email":"%[1]s-%[2]d@example.com","linkedinUrl":"https://www.linkedin.com/in/%[1]s-%[2]d",
			"preferences":{"locations":["uk"],"workplaceTypes":["REMOTE"],"salaryMin":90000,"idealFundingRounds":["SEED"],
			"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"},"resume":{"resumeFileId":%[3]q},"onMarketConfirmed":true}`, run, i, resumeFileID)
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// injected is how much longer every AWS call takes.
const injected = 3 * time.Millisecond

// BenchmarkBulk submits 100 fresh candidates, with an Idempotency-Key and without, where every AWS call
// takes 3 ms longer, on the emulators of the tests. Of one run, the submit at
// the tenth percentile, which other work on the machine blurs least:
//
//	ms/call         one consistent read through the same client, 3 ms and all
//	waves           how often a submit waits for calls, those at once counted once:
//	                the median, because a call that starts late is a wave more
//	ms/submit       a submit
//	calls           a submit in times of one call; the limit is 6
//	ms/dynamodb     what the waves of a submit took beyond one call each: the
//	                database's own work, most of it on two transactions of 51 writes
//	ms/sqs          the same of the last wave: the queue's own work on 10 sends
//	net-calls       a submit without these two, in times of one call: what our code
//	                and the latency take
//	ms/transaction  one transaction of 51 writes, nothing injected and nothing beside it
func BenchmarkBulk(b *testing.B) {
	f := newTestService(b)
	upload := f.mustUpload("QWRhIEV4YW1wbGU=")
	alone := f.timeTransactions()
	watch := &stopwatch{}
	f.host.AWS = cloud.WithHook(f.host.AWS, watch.delayCall)
	f.startService()
	table := f.host.Opener().Table(topology.Accounts)
	f.mustUpload("QWRhIEV4YW1wbGU=") // the function has seen the key
	for name, newKey := range map[string]func() string{"keyed": uuid.NewString, "unkeyed": func() string { return "" }} {
		b.Run(name, func(b *testing.B) {
			var trips []trip
			var calls []time.Duration
			for b.Loop() {
				body := f.hundredItems(upload.ResumeFileID)
				calls = append(calls, measureTime(func() {
					var item dynamo.Item
					f.must(table.Get(topology.PK, "A#agy_1").Range(topology.SK, dynamo.Equal, "A").Consistent(true).One(b.Context(), &item))
				}))
				watch.takeWaves()
				total := measureTime(func() { f.invoke(f.newPost("/talent-network/candidates/submit-bulk", body, newKey())) })
				trips = append(trips, trip{total, watch.takeWaves()})
			}
			reportTrips(b, trips, tenthPercentile(calls), tenthPercentile(alone))
		})
	}
}

// reportTrips reports the submit at the tenth percentile; call and transaction are the times of one.
func reportTrips(b *testing.B, trips []trip, call, transaction time.Duration) {
	slices.SortFunc(trips, func(a, b trip) int { return cmp.Compare(a.total, b.total) })
	t := trips[len(trips)/10]
	var waves []int
	for _, other := range trips {
		waves = append(waves, len(other.waves))
	}
	slices.Sort(waves)
	beyond := map[string]time.Duration{}
	for _, w := range t.waves {
		beyond[w.service] += w.end.Sub(w.begin) - call
	}
	net := t.total - beyond["DynamoDB"] - beyond["SQS"]
	for unit, value := range map[string]time.Duration{
		"ms/call": call, "ms/submit": t.total, "ms/dynamodb": beyond["DynamoDB"], "ms/sqs": beyond["SQS"], "ms/transaction": transaction,
	} {
		b.ReportMetric(float64(value.Microseconds())/1000, unit)
	}
	b.ReportMetric(float64(waves[len(waves)/2]), "waves")
	b.ReportMetric(float64(t.total)/float64(call), "calls")
	b.ReportMetric(float64(net)/float64(call), "net-calls")
}

// trip is one submit and the waves of its calls.
type trip struct {
	total time.Duration
	waves []span
}

// timeTransactions times the acceptance of half a batch by itself.
func (f *testService) timeTransactions() (times []time.Duration) {
	f.tb.Helper()
	table := f.host.Opener().Table(topology.Submissions)
	store := submission.NewStore(table, dynamo.New(f.host.AWS).WriteTx, submission.Settings{Timeout: submission.DefaultTimeout, Resend: submission.DefaultResend})
	for range 50 {
		b := submission.Batch{ID: uuid.New(), Tenant: tenant.Of("agy_1", "test"), CreatedAt: f.host.Now(), ItemCount: 50}
		subs := make([]submission.Submission, 50)
		for i := range subs {
			who := fmt.Sprint(b.ID, "-", i)
			subs[i] = submission.Submission{
				ID: submission.NewID(b.ID, i), BatchID: b.ID, Index: i, AgencyID: "agy_1", OwnerID: "rec_1", Environment: "test", Name: "Ada Example",
				Email: who + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + who, ResumeKey: "uploads/agy_1/" + strings.Repeat("0", 64),
				SubmittedAt: b.CreatedAt, Deadline: store.Deadline(b.CreatedAt), Preferences: contract.WorkPreferences{
					Locations: []contract.Location{"uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 90_000, IdealFundingRounds: []contract.FundingRound{"SEED"}, VisaAuthorization: "NO_VISA_AUTHORIZATION_NEEDED",
				},
			}
		}
		times = append(times, measureTime(func() {
			_, err := store.Accept(f.tb.Context(), b, subs)
			f.must(err)
		}))
	}
	return times
}

// stopwatch makes every AWS call take longer, and notes when it began and ended.
type stopwatch struct {
	mu    sync.Mutex
	spans []span
}

type span struct {
	service    string
	begin, end time.Time
}

func (w *stopwatch) delayCall(_ context.Context, call cloud.Call, send func() error) error {
	begin := time.Now()
	time.Sleep(injected)
	err := send()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spans = append(w.spans, span{call.Service, begin, time.Now()})
	return err
}

// takeWaves returns the waves of calls since the last time. Calls that overlap are one
// wave, SQS's where the queue was called among others.
func (w *stopwatch) takeWaves() (waves []span) {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.SortFunc(w.spans, func(a, b span) int { return a.begin.Compare(b.begin) })
	for _, s := range w.spans {
		if len(waves) == 0 || s.begin.After(waves[len(waves)-1].end) {
			waves = append(waves, s)
			continue
		}
		wave := &waves[len(waves)-1]
		if s.end.After(wave.end) {
			wave.end = s.end
		}
		if s.service == "SQS" {
			wave.service = s.service
		}
	}
	w.spans = nil
	return waves
}

func measureTime(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

// tenthPercentile is the tenth percentile.
func tenthPercentile(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/10]
}
