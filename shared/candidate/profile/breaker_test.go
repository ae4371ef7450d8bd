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

const breakerPause = time.Minute

func newWorkerPool(t *testing.T, workers int, limits profile.Limits, hooks ...cloud.Hook) *workerPool {
	t.Helper()
	_, table := cloudtest.Database(t, topology.Network, hooks...)
	p := &workerPool{t: t, table: table, provider: &fakeProvider{}, clock: cloudtest.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))}
	limits.Pause = breakerPause
	for range workers {
		p.workers = append(p.workers, &profile.Breaker{
			Provider: p.provider, Table: table, Endpoint: "profiles.example.com:443",
			Limits: limits, Now: p.clock.Now, NewID: uuid.New,
			Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		})
	}
	return p
}

// wideLimits are never reached and need one shard.
var wideLimits = profile.Limits{PerMinute: 15_000, Concurrency: 32}

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

// Recovery starts with one look-up, however many workers ask at the same moment. A probe that
// fails opens the breaker for longer.
func TestExactlyOneWorkerProbes(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 20, wideLimits)
	p.provider.respondWith(errNoCredit)
	p.askWithAll()
	pause := 2 * breakerPause // the second pause
	for range 3 {
		p.clock.Move(maxOpenTime)
		if n := p.countLookups(func() { p.askWithAll() }); n != 1 {
			t.Fatalf("%d probes, want 1", n)
		}
		p.clock.Move(min(pause, 5*breakerPause) - time.Second)
		if n := p.countLookups(func() { p.askWithAll() }); n != 0 {
			t.Errorf("asked %d times in a pause of %v", n, pause)
		}
		pause *= 2
	}
	p.clock.Move(maxOpenTime)
	release, probing := make(chan struct{}), make(chan struct{})
	p.provider.respond(func(context.Context) error { close(probing); <-release; return nil })
	var group sync.WaitGroup
	group.Go(func() {
		if _, err := p.workers[0].Profile(t.Context(), slug); err != nil {
			t.Error(err)
		}
	})
	<-probing
	if n := p.countLookups(func() { p.wantReasons(map[profile.Reason]int{profile.Paused: 20}) }); n != 0 {
		t.Errorf("asked %d times beside the probe", n)
	}
	close(release)
	group.Wait()
	p.provider.respondWith(nil)
	p.wantReasons(map[profile.Reason]int{"": 20})
}

// maxOpenTime is the longest pause without a Retry-After.
const maxOpenTime = 5 * breakerPause

func TestTheProbeOfADeadWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 2, wideLimits)
	p.provider.respondWith(errNoCredit)
	_, _ = p.workers[0].Profile(t.Context(), slug)
	p.clock.Move(breakerPause)
	p.provider.respond(func(context.Context) error { panic("the worker dies") })
	func() {
		defer func() { _ = recover() }()
		_, _ = p.workers[0].Profile(t.Context(), slug)
	}()
	p.provider.respondWith(nil)
	p.wantReasons(map[profile.Reason]int{profile.Paused: 2})
	p.clock.Move(time.Minute) // its lease
	if _, err := p.workers[1].Profile(t.Context(), slug); err != nil {
		t.Errorf("got %v; want another probe", err)
	}
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

// All workers together stay within the rate, except for the burst after ten idle seconds and
// for look-ups that wait up to ten seconds for their token.
func TestTheRateHoldsForAllWorkers(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 8, profile.Limits{PerMinute: 60, Concurrency: 8})
	start, served := p.clock.Now(), 0
	for p.clock.Now().Sub(start) < 10*time.Minute {
		served += p.askWithAll()[""]
		p.clock.Move(2 * time.Second)
	}
	if served < 600 || served > 621 {
		t.Errorf("%d look-ups in ten minutes at 60 a minute", served)
	}
}

func TestTheConcurrencyHoldsForAllWorkers(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 12, profile.Limits{PerMinute: 60_000, Concurrency: 3})
	began, release := make(chan struct{}, 12), make(chan struct{})
	p.provider.respond(func(context.Context) error {
		began <- struct{}{}
		<-release
		return nil
	})
	results := make(chan error, 12)
	for _, worker := range p.workers {
		go func() {
			_, err := worker.Profile(t.Context(), slug)
			results <- err
		}()
	}
	for range 3 {
		<-began
	}
	for range 9 { // while the three are served
		var down *profile.Unavailable
		if err := <-results; !errors.As(err, &down) || down.Reason != profile.Throttled {
			t.Fatalf("got %v; want all but three look-ups throttled", err)
		}
	}
	close(release)
	for range 3 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if n := p.provider.calls.Load(); n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
	p.clock.Move(time.Minute)
	p.provider.respond(func(context.Context) error { panic("the worker dies") })
	for range 3 {
		func() {
			defer func() { _ = recover() }()
			_, _ = p.workers[0].Profile(t.Context(), slug)
		}()
	}
	p.provider.respondWith(nil)
	if _, err := p.workers[1].Profile(t.Context(), slug); err == nil {
		t.Error("the slot of a worker that died is free before its lease is over")
	}
	p.clock.Move(time.Minute)
	if _, err := p.workers[1].Profile(t.Context(), slug); err != nil {
		t.Errorf("got %v; want the slot of a worker that died", err)
	}
}

// TestTheSlotsOfDeadWorkersKeepTheRate fails unless look-ups with the slots of workers that died have tokens like all others.
func TestTheSlotsOfDeadWorkersKeepTheRate(t *testing.T) {
	t.Parallel()
	const slots = 20
	p := newWorkerPool(t, slots, profile.Limits{PerMinute: 10, Concurrency: slots})
	p.provider.respond(func(context.Context) error { panic("the worker dies") })
	for range slots {
		func() {
			defer func() { _ = recover() }()
			_ = p.askOnce()
		}()
		p.clock.Move(time.Minute / 10)
	}
	p.clock.Move(time.Minute) // their leases
	p.provider.respondWith(nil)
	if served := p.askWithAll()[""]; served < 1 || served > 4 { // what is saved, made in advance and waited for
		t.Errorf("%d look-ups at the same moment at 10 a minute", served)
	}
}

// A lost or doubled call neither loses the probe nor leaves a slot behind.
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
			p := newWorkerPool(t, 1, profile.Limits{PerMinute: 60_000, Concurrency: 1}, hook)
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

// A look-up costs two writes of the item, and one more after five idle seconds; one that the open
// breaker refuses costs none.
func TestALookUpWritesTheItemTwice(t *testing.T) {
	t.Parallel()
	calls := &cloudtest.Calls{}
	p := newWorkerPool(t, 1, wideLimits, calls.Hook)
	ask := func(want int) {
		t.Helper()
		calls.Reset()
		_, _ = p.workers[0].Profile(t.Context(), slug)
		if got := calls.Reset(); len(got) != want {
			t.Errorf("made the calls %v, want %d", got, want)
		}
	}
	p.askWithAll() // creates the item
	ask(2)
	p.clock.Move(4 * time.Second)
	ask(2)
	p.clock.Move(time.Hour)
	ask(3)
	ask(2)
	p.provider.respondWith(errNoCredit)
	ask(3)
	ask(0)
	if err := p.workers[0].CheckOpen(); err == nil {
		t.Error("the worker forgot that the breaker is open")
	}
}

// TestAPauseThatEndsDuringALookUp fails unless a look-up is refused, or is the probe, when the pause ends between two readings of the clock.
func TestAPauseThatEndsDuringALookUp(t *testing.T) {
	t.Parallel()
	const readings = 8 // more than a look-up makes
	p := newWorkerPool(t, readings, wideLimits)
	p.provider.respondWith(errNoCredit)
	_ = p.askOnce()
	end := p.clock.Now().Add(breakerPause)
	for n, worker := range p.workers {
		clock := cloudtest.NewClock(end.Add(time.Duration(n-readings) * time.Millisecond))
		worker.Now = func() time.Time {
			clock.Move(time.Millisecond)
			return clock.Now()
		}
		var down *profile.Unavailable
		_, err := worker.Profile(t.Context(), slug)
		isPaused := errors.As(err, &down) && down.Reason == profile.Paused && down.RetryAfter > 0
		if !isPaused && !errors.Is(err, errNoCredit) {
			t.Errorf("%d readings before the end: got %v", readings-n, err)
		}
	}
}
