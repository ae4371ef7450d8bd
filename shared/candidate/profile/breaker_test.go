package profile_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// fakeProvider answers with what outcome returns, and counts.
type fakeProvider struct {
	calls   atomic.Int64
	outcome atomic.Pointer[func(context.Context) error]
}

func (f *fakeProvider) Profile(ctx context.Context, slug string) (profile.Profile, error) {
	f.calls.Add(1)
	if outcome := f.outcome.Load(); outcome != nil {
		if err := (*outcome)(ctx); err != nil {
			return profile.Profile{}, err
		}
	}
	return profile.Invent(slug), nil
}

func (f *fakeProvider) respond(outcome func(context.Context) error) { f.outcome.Store(&outcome) }

func (f *fakeProvider) respondWith(err error) {
	f.respond(func(context.Context) error { return err })
}

// workerPool is a number of workers that share a provider, a table and a clock, and
// nothing else.
type workerPool struct {
	t        *testing.T
	provider *fakeProvider
	clock    *cloudtest.Clock
	workers  []*profile.Breaker
	table    dynamo.Table
}

const (
	breakerPause = time.Minute
	endpoint     = "profiles.example.com:443"
)

func newWorkerPool(t *testing.T, workers int, limits profile.Limits, hooks ...cloud.Hook) *workerPool {
	t.Helper()
	_, table := cloudtest.Database(t, topology.Network, hooks...)
	p := &workerPool{t: t, table: table, provider: &fakeProvider{}, clock: cloudtest.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))}
	limits.Pause = breakerPause
	for range workers {
		p.workers = append(p.workers, &profile.Breaker{
			Provider: p.provider, Table: table, Endpoint: endpoint,
			Limits: limits, Now: p.clock.Now, NewID: uuid.New,
			Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		})
	}
	return p
}

// wideLimits are never reached and need one shard.
var wideLimits = profile.Limits{PerMinute: 3_000}

var (
	errDown     = &profile.Unavailable{Reason: profile.Status, StatusCode: http.StatusServiceUnavailable, Retryable: true}
	errNoCredit = &profile.Unavailable{Reason: profile.Status, StatusCode: http.StatusPaymentRequired, Operator: true}
	errTooMany  = &profile.Unavailable{Reason: profile.Status, StatusCode: http.StatusTooManyRequests, Retryable: true, RetryAfter: 90 * time.Second}
)

// askWithAll looks up a profile with every worker at the same moment, and returns the number of
// look-ups by the reason of their error ("" for those that the provider served).
func (p *workerPool) askWithAll() map[profile.Reason]int {
	p.t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	reasons := map[profile.Reason]int{}
	for _, worker := range p.workers {
		group.Go(func() {
			_, err := worker.Profile(p.t.Context(), slug)
			var down *profile.Unavailable
			if err != nil && !errors.As(err, &down) && !errors.Is(err, profile.ErrNotFound) {
				p.t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if down == nil {
				reasons[""]++
				return
			}
			reasons[down.Reason]++
		})
	}
	group.Wait()
	return reasons
}

// askOnce looks up a profile with the first worker.
func (p *workerPool) askOnce() error {
	_, err := p.workers[0].Profile(p.t.Context(), slug)
	return err
}

// countLookups returns how many look-ups the provider received during do.
func (p *workerPool) countLookups(do func()) int64 {
	before := p.provider.calls.Load()
	do()
	return p.provider.calls.Load() - before
}

func (p *workerPool) wantReasons(want map[profile.Reason]int) {
	p.t.Helper()
	if got := p.askWithAll(); !maps.Equal(got, want) {
		p.t.Fatalf("got %v; want %v", got, want)
	}
}

func TestConsecutiveFailuresOpenTheBreakerForAllWorkers(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 4, wideLimits)
	p.provider.respondWith(errDown)
	worker := p.workers[0]
	for range 4 {
		_, _ = worker.Profile(t.Context(), slug)
	}
	p.provider.respondWith(profile.ErrNotFound) // an answer: the count begins anew
	_, _ = worker.Profile(t.Context(), slug)
	p.provider.respondWith(errDown)
	if n := p.countLookups(func() {
		for range 20 {
			_, _ = worker.Profile(t.Context(), slug)
		}
	}); n != 5 {
		t.Errorf("asked %d times before the breaker opened, want 5", n)
	}
	if n := p.countLookups(func() { p.wantReasons(map[profile.Reason]int{profile.Paused: 4}) }); n != 0 {
		t.Errorf("asked %d times while the breaker is open", n)
	}
	_, err := p.workers[1].Profile(t.Context(), slug)
	var down *profile.Unavailable
	if !errors.As(err, &down) || down.RetryAfter != breakerPause || !down.IsOutage() {
		t.Errorf("got %+v; want an outage with a RetryAfter of %v", down, breakerPause)
	}
}

// TestALookUpUnderWayEndsTheCount fails unless an answer begins the count of failures anew though its look-up began before them: of
// many look-ups at a time, few that fail do not open the breaker.
func TestALookUpUnderWayEndsTheCount(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 2, wideLimits)
	began := make(chan struct{})
	release := make(chan struct{})
	p.provider.respond(func(context.Context) error { close(began); <-release; return nil })
	var group sync.WaitGroup
	group.Go(func() {
		if _, err := p.workers[1].Profile(t.Context(), slug); err != nil {
			t.Error(err)
		}
	})
	<-began
	failFourTimes := func() {
		p.provider.respondWith(errDown)
		if n := p.countLookups(func() {
			for range 4 {
				_ = p.askOnce()
			}
		}); n != 4 {
			t.Errorf("asked %d times, want 4", n)
		}
	}
	failFourTimes()
	close(release)
	group.Wait()
	failFourTimes()
	p.provider.respondWith(nil)
	p.wantReasons(map[profile.Reason]int{"": 2})
}

func TestARateLimitOpensTheBreakerForItsRetryAfter(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 3, wideLimits)
	p.provider.respondWith(errTooMany)
	_, _ = p.workers[0].Profile(t.Context(), slug)
	p.provider.respondWith(nil)
	p.clock.Move(errTooMany.RetryAfter - time.Millisecond)
	p.wantReasons(map[profile.Reason]int{profile.Paused: 3})
	p.clock.Move(time.Millisecond)
	if _, err := p.workers[1].Profile(t.Context(), slug); err != nil {
		t.Fatal(err)
	}
	p.wantReasons(map[profile.Reason]int{"": 3})
}

// Errors that concern one person, or our own request, say nothing about the provider.
func TestErrorsThatAreNoOutageOpenNothing(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"not found":        profile.ErrNotFound,
		"no experience":    profile.ErrNoExperience,
		"a bad request":    &profile.Unavailable{Reason: profile.Status, StatusCode: http.StatusBadRequest, Operator: true},
		"simulated":        &profile.Unavailable{Reason: profile.Simulated},
		"our time is over": &profile.Unavailable{Reason: profile.Canceled, Retryable: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newWorkerPool(t, 1, wideLimits)
			p.provider.respondWith(err)
			if n := p.countLookups(func() {
				for range 10 {
					_, _ = p.workers[0].Profile(t.Context(), slug)
				}
			}); n != 10 {
				t.Errorf("asked %d times, want 10", n)
			}
		})
	}
}

// A lost or doubled call does not lose the probe.
func TestLostAndDoubledCallsLeaveTheBreakerUsable(t *testing.T) {
	t.Parallel()
	const write = "UpdateItem"
	hooks := map[string]cloud.Hook{"every write happens twice": func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == write {
			_ = send()
		}
		return send()
	}}
	for n, name := range []string{"1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"} {
		hooks["the answer of the "+name+" write is lost"] = cloudtest.Lose(write, n+1, cloudtest.Lost{})
	}
	for name, hook := range hooks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newWorkerPool(t, 1, wideLimits, hook)
			ask := func(want error) {
				t.Helper()
				if _, err := p.workers[0].Profile(t.Context(), slug); !errors.Is(err, want) {
					t.Fatalf("got %v, want %v", err, want)
				}
			}
			ask(nil)
			p.provider.respondWith(errNoCredit)
			ask(errNoCredit)
			p.clock.Move(breakerPause)
			ask(errNoCredit)
			p.provider.respondWith(nil)
			p.clock.Move(2 * breakerPause)
			ask(nil)
			ask(nil)
		})
	}
}
