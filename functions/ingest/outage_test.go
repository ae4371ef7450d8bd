package ingest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/provider"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// outageSystem is a pool of workers on the emulators. The test moves the clock, breaks the
// provider, delivers the queue's messages and runs the sweeper.
type outageSystem struct {
	t       *testing.T
	clock   *cloudtest.Clock
	standIn *provider.StandIn
	store   *submission.Store
	resumes objectstore.Bucket
	workers []*Service

	mu    sync.Mutex
	queue []string
	subs  []submission.Submission
}

// queueWorkers is the concurrency of the ingest queue (topology.IngestQueue).
const queueWorkers = 20

func newOutageSystem(t *testing.T) *outageSystem {
	t.Helper()
	s := &outageSystem{t: t, standIn: &provider.StandIn{}, clock: cloudtest.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))}
	server := httptest.NewServer(s.standIn)
	t.Cleanup(server.Close)
	settings := map[string]string{topology.SettingProfileURL: server.URL, topology.SettingProfileKey: "k"}
	host := cloudtest.System(t, settings, s.clock.Now)
	host.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	for range queueWorkers {
		worker, err := New(t.Context(), host)
		must(t, err)
		s.workers = append(s.workers, worker)
	}
	o := host.Opener()
	s.store, s.resumes = submission.Open(o), objectstore.Open(o, topology.Resumes)
	must(t, demo.Load(t.Context(), account.Open(o)))
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// submit accepts a batch of n new candidates, in the given environment, and queues their hints.
func (s *outageSystem) submit(n int, environment string) uuid.UUID {
	s.t.Helper()
	now := s.clock.Now()
	batch := submission.Batch{ID: uuid.Must(uuid.NewV7()), Tenant: tenant.Of(demo.AgencyID, environment), CreatedAt: now, ItemCount: n}
	subs := make([]submission.Submission, n)
	for i := range subs {
		slug := fmt.Sprintf("ada-%d", len(s.subs)+i)
		subs[i] = submission.Submission{
			ID: submission.NewID(batch.ID, i), BatchID: batch.ID, Index: i, AgencyID: demo.AgencyID, OwnerID: demo.OwnerID,
			Environment: environment, Name: "Ada Example", Email: slug + "@example.com",
			LinkedInURL: "https://www.linkedin.com/in/" + slug, SubmittedAt: now, Deadline: s.store.Deadline(now),
			Preferences: contract.WorkPreferences{Locations: []contract.Location{"texas"}, SalaryMin: 100_000},
		}
		subs[i].ResumeKey = subs[i].UploadKey()
		must(s.t, s.resumes.Put(s.t.Context(), subs[i].ResumeKey, "text/plain", []byte("Ada Example\nCarpenter, joiner and cabinetmaker")))
	}
	outcomes, err := s.store.Accept(s.t.Context(), batch, subs)
	must(s.t, err)
	for _, o := range outcomes {
		s.queue = append(s.queue, o.Hint.Body)
	}
	s.subs = append(s.subs, subs...)
	return batch.ID
}

// deliver lets all workers empty the queue concurrently. The hints that they report as failed
// are in the queue again afterwards.
func (s *outageSystem) deliver() {
	s.t.Helper()
	hints := make(chan string, len(s.queue))
	for _, hint := range s.queue {
		hints <- hint
	}
	close(hints)
	s.queue = nil
	var group sync.WaitGroup
	for _, worker := range s.workers {
		group.Go(func() {
			for hint := range hints {
				event := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: hint}}}
				out, err := worker.Handle(s.t.Context(), event)
				if err != nil {
					s.t.Error(err)
				}
				if len(out.BatchItemFailures) > 0 {
					s.mu.Lock()
					s.queue = append(s.queue, hint)
					s.mu.Unlock()
				}
			}
		})
	}
	group.Wait()
}

// sweep queues the hints of the items that are due.
func (s *outageSystem) sweep() {
	s.t.Helper()
	sweep := s.store.NewSweep(s.clock.Now(), func(_ context.Context, hints []cloud.Message) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, hint := range hints {
			s.queue = append(s.queue, hint.Body)
		}
		return nil
	})
	for left := true; left; {
		var err error
		left, err = sweep.CheckLive(s.t.Context(), func() bool { return true })
		must(s.t, err)
	}
}

// countItems counts the items of batches by status and code.
func (s *outageSystem) countItems(batches []uuid.UUID) map[string]int {
	s.t.Helper()
	counts := map[string]int{}
	for _, id := range batches {
		batch, _, err := s.store.ReadBatch(s.t.Context(), demo.AgencyID, id, s.clock.Now())
		must(s.t, err)
		for _, item := range batch.Items {
			counts[string(item.Status)+string(item.ErrorCode)]++
		}
	}
	return counts
}

// The provider is out for an hour, at a hundred-and-fiftieth of 300 submissions a minute: no
// submission fails, and all are done within the breaker's longest pause (5 minutes), an item's
// longest wait (15) and a sweep. The provider's rate is not scaled, and does not bound the
// drain here.
func TestAnOutageCostsTimeAndNoSubmission(t *testing.T) {
	t.Parallel()
	const (
		perMinute = 300 / 150
		outage    = 60 // minutes
	)
	for name, tt := range map[string]struct {
		fault provider.Fault
		asked int64 // at most
	}{
		"down":               {provider.WithStatus(http.StatusServiceUnavailable), outage}, // once a minute
		"without credit":     {provider.WithStatus(http.StatusPaymentRequired), outage},
		"with a refused key": {provider.WithStatus(http.StatusUnauthorized), outage},
		"throttled":          {provider.WithHeader("Retry-After", "600", provider.WithStatus(http.StatusTooManyRequests)), outage/10 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newOutageSystem(t)
			s.standIn.Misbehave(tt.fault)
			var batches []uuid.UUID
			runMinute := func() {
				batches = append(batches, s.submit(perMinute, "live"))
				s.sweep()
				for range 6 {
					s.deliver()
					s.clock.Move(10 * time.Second)
				}
			}
			for range outage {
				runMinute()
			}
			during := batches
			if asked := s.standIn.Calls(); asked > tt.asked {
				t.Errorf("the provider was asked %d times while it was down", asked)
			}
			if got := s.countItems(during); got["queued"] != outage*perMinute {
				t.Fatalf("after the outage: got %v; want all queued", got)
			}
			t.Logf("%d requests in the outage", s.standIn.Calls())
			s.standIn.Misbehave(nil)
			drained := 0
			for ; s.countItems(during)["queued"] > 0; drained++ {
				if drained > 21 {
					t.Fatalf("not drained after 21 minutes: %v", s.countItems(during))
				}
				runMinute()
			}
			got := s.countItems(during)
			if got["succeeded"] != outage*perMinute {
				t.Errorf("got %v; want all succeeded", got)
			}
			t.Logf("%d items of an outage of %d minutes were done %d minutes after it", outage*perMinute, outage, drained)
		})
	}
}
