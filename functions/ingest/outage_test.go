package ingest

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
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
	// paced lets the waits of workers move the clock.
	paced bool

	mu    sync.Mutex
	queue []string
	subs  []submission.Submission
}

// queueWorkers is the concurrency of the ingest queue (topology.IngestQueue).
const queueWorkers = 20

func newOutageSystem(t *testing.T) *outageSystem { return newOutageSystemWith(t, nil) }

// newOutageSystemWith is newOutageSystem with settings.
func newOutageSystemWith(t *testing.T, env map[string]string) *outageSystem {
	t.Helper()
	s := &outageSystem{t: t, standIn: &provider.StandIn{}, clock: cloudtest.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))}
	server := httptest.NewServer(s.standIn)
	t.Cleanup(server.Close)
	settings := map[string]string{
		topology.SettingProfileURL: server.URL, topology.SettingProfileKey: "k", "PROFILE_SANDBOX_URL": server.URL,
	}
	maps.Copy(settings, env)
	host := cloudtest.System(t, settings, s.clock.Now)
	host.Wait = func(ctx context.Context, pause time.Duration) error {
		if s.paced {
			s.clock.Move(pause)
		}
		return ctx.Err()
	}
	for range queueWorkers {
		worker, err := New(t.Context(), host)
		must(t, err)
		s.workers = append(s.workers, worker)
	}
	o := host.Opener()
	s.store = submission.Open(o)
	s.resumes = objectstore.Open(o, topology.Resumes)
	must(t, demo.Load(t.Context(), account.Open(o)))
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// submit accepts a batch of n new candidates, in the given environment, and queues their wake-up messages.
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
		s.queue = append(s.queue, o.WakeUp.Body)
	}
	s.subs = append(s.subs, subs...)
	return batch.ID
}

// deliver lets all workers empty the queue concurrently. The wake-up messages that they report as failed
// are in the queue again afterwards.
func (s *outageSystem) deliver() {
	s.t.Helper()
	wakeUps := make(chan string, len(s.queue))
	for _, wakeUp := range s.queue {
		wakeUps <- wakeUp
	}
	close(wakeUps)
	s.queue = nil
	var group sync.WaitGroup
	for _, worker := range s.workers {
		group.Go(func() {
			for wakeUp := range wakeUps {
				event := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: wakeUp}}}
				out, err := worker.Handle(s.t.Context(), event)
				if err != nil {
					s.t.Error(err)
				}
				if len(out.BatchItemFailures) > 0 {
					s.mu.Lock()
					s.queue = append(s.queue, wakeUp)
					s.mu.Unlock()
				}
			}
		})
	}
	group.Wait()
}

// sweep queues the wake-up messages of the items that are due.
func (s *outageSystem) sweep() {
	s.t.Helper()
	sweep := s.store.NewSweep(s.clock.Now(), func(_ context.Context, wakeUps []cloud.Message) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, wakeUp := range wakeUps {
			s.queue = append(s.queue, wakeUp.Body)
		}
		return nil
	})
	for left := true; left; {
		var err error
		left, err = sweep.CheckInFlight(s.t.Context(), func() bool { return true })
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

// anyQueued reports whether an item of the batches is queued. It asks no further than it must: items that have ended
// stay so.
func (s *outageSystem) anyQueued(batches []uuid.UUID) bool {
	s.t.Helper()
	for _, id := range slices.Backward(batches) {
		if s.countItems([]uuid.UUID{id})["queued"] > 0 {
			return true
		}
	}
	return false
}

// The provider is out for an hour, or for half of one, at a six-hundredth of 300 submissions a minute: no
// submission fails, and all are done within the breaker's longest pause (5 minutes), an item's
// longest wait (15) and a sweep. Half an hour suffices for both. The provider's rate is not scaled, and does not
// bound the drain here.
func TestAnOutageCostsTimeAndNoSubmission(t *testing.T) {
	t.Parallel()
	const every = 600 / 300 // minutes from a submission to the next
	for name, tt := range map[string]struct {
		fault  provider.Fault
		outage int   // minutes
		asked  int64 // at most
	}{
		"down":               {provider.WithStatus(http.StatusServiceUnavailable), 60, 60}, // once a minute
		"without credit":     {provider.WithStatus(http.StatusPaymentRequired), 30, 30},
		"with a refused key": {provider.WithStatus(http.StatusUnauthorized), 30, 30},
		"throttled":          {provider.WithHeader("Retry-After", "600", provider.WithStatus(http.StatusTooManyRequests)), 30, 30/10 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newOutageSystem(t)
			s.standIn.Misbehave(tt.fault)
			var batches []uuid.UUID
			runMinute := func(minute int) {
				if minute%every == 0 {
					batches = append(batches, s.submit(1, "live"))
				}
				s.sweep()
				for range 6 {
					s.deliver()
					s.clock.Move(10 * time.Second)
				}
			}
			for minute := range tt.outage {
				runMinute(minute)
			}
			during := batches
			if asked := s.standIn.Calls(); asked > tt.asked {
				t.Errorf("the provider was asked %d times while it was down", asked)
			}
			if got := s.countItems(during); got["queued"] != tt.outage/every {
				t.Fatalf("after the outage: got %v; want all queued", got)
			}
			t.Logf("%d requests in the outage", s.standIn.Calls())
			s.standIn.Misbehave(nil)
			drained := 0
			for ; s.anyQueued(during); drained++ {
				if drained > 21 {
					t.Fatalf("not drained after 21 minutes: %v", s.countItems(during))
				}
				runMinute(drained)
			}
			got := s.countItems(during)
			if got["succeeded"] != tt.outage/every {
				t.Errorf("got %v; want all succeeded", got)
			}
			t.Logf("%d items of an outage of %d minutes were done %d minutes after it", len(during), tt.outage, drained)
		})
	}
}

// TestALongOutageCostsNoSubmission fails if a submission fails because the provider was out for longer than the time-out of four hours.
func TestALongOutageCostsNoSubmission(t *testing.T) {
	t.Parallel()
	s := newOutageSystem(t)
	s.standIn.Misbehave(provider.WithStatus(http.StatusServiceUnavailable))
	var batches []uuid.UUID
	runMinutes := func(minutes int) {
		for range minutes / 15 {
			s.sweep()
			s.deliver()
			s.clock.Move(15 * time.Minute)
		}
	}
	for range 6 {
		batches = append(batches, s.submit(1, "live"))
		runMinutes(60)
	}
	if got := s.countItems(batches); got["queued"] != len(batches) {
		t.Fatalf("after six hours: got %v; want all queued", got)
	}
	s.standIn.Misbehave(nil)
	runMinutes(60)
	if got := s.countItems(batches); got["succeeded"] != len(batches) {
		t.Errorf("an hour after the outage: got %v; want all succeeded", got)
	}
}

// runMinute submits n new candidates, sweeps, and lets one worker empty the queue until the minute is over. The worker's waits for the
// provider's rate move the clock, so it makes as many look-ups as the rate allows; what it does not reach stays in the queue.
func (s *outageSystem) runMinute(n int) (batch uuid.UUID) {
	s.t.Helper()
	end := s.clock.Now().Truncate(time.Minute).Add(time.Minute)
	batch = s.submit(n, "live")
	s.sweep()
	for len(s.queue) > 0 && s.clock.Now().Before(end) {
		wakeUp := s.queue[0]
		s.queue = s.queue[1:]
		event := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: wakeUp}}}
		out, err := s.workers[0].Handle(s.t.Context(), event)
		must(s.t, err)
		if len(out.BatchItemFailures) > 0 {
			s.queue = append(s.queue, wakeUp)
		}
	}
	if s.clock.Now().Before(end) {
		s.clock.Set(end)
	}
	return batch
}

// TestAnOutageAtTheTargetRateIsDrained fails unless the submissions of an outage are done within their time-out, four times its duration,
// while as many arrive as before, if the provider accepts half as many look-ups again as there are submissions (docs/capacity.md). The
// times are a sixth of those of an outage of an hour, and the rates a 1600th of the targets.
func TestAnOutageAtTheTargetRateIsDrained(t *testing.T) {
	t.Parallel()
	const (
		perMinute = 6
		outage    = 10 // minutes
	)
	s := newOutageSystemWith(t, map[string]string{
		topology.SettingProfileRate: fmt.Sprint(perMinute * 3 / 2), "INGEST_TIMEOUT": fmt.Sprint(4*outage, "m"), "INGEST_RETRY_DELAY": "10s",
	})
	s.paced = true
	s.standIn.Misbehave(provider.WithStatus(http.StatusServiceUnavailable))
	var during []uuid.UUID
	for range outage {
		during = append(during, s.runMinute(perMinute))
	}
	s.standIn.Misbehave(nil)
	all := during
	drained := 0
	for ; s.countItems(all)["queued"] > perMinute && drained < 4*outage; drained++ {
		all = append(all, s.runMinute(perMinute))
	}
	if got, queued := s.countItems(during), s.countItems(all)["queued"]; got["succeeded"] != outage*perMinute || queued > perMinute {
		t.Errorf("%d minutes after the outage: got %v, and %d queued in all; want all succeeded", drained, got, queued)
	}
	t.Logf("drained in %d minutes", drained)
}
