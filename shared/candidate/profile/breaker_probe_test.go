package profile_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

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
	release := make(chan struct{})
	probing := make(chan struct{})
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

// TestAProbeThatIsCanceledEnds fails unless the next look-up is the probe, without waiting for the lease of one whose caller has gone.
func TestAProbeThatIsCanceledEnds(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 2, wideLimits)
	p.provider.respondWith(errNoCredit)
	_ = p.askOnce()
	p.clock.Move(breakerPause)
	p.provider.respondWith(&profile.Unavailable{Reason: profile.Canceled, Retryable: true})
	_ = p.askOnce()
	p.provider.respondWith(nil)
	if err := p.askOnce(); err != nil {
		t.Errorf("got %v; want another probe", err)
	}
	p.wantReasons(map[profile.Reason]int{"": 2})
}

// TestALateProbeDecidesNothing fails unless the answer to a probe whose lease is over leaves the breaker as the next probe left it.
func TestALateProbeDecidesNothing(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 3, wideLimits)
	p.provider.respondWith(errNoCredit)
	_ = p.askOnce()
	p.clock.Move(breakerPause)
	release := make(chan struct{})
	probing := make(chan struct{})
	p.provider.respond(func(context.Context) error { close(probing); <-release; return nil })
	var group sync.WaitGroup
	group.Go(func() {
		if err := p.askOnce(); err != nil {
			t.Error(err)
		}
	})
	<-probing
	p.clock.Move(time.Minute) // its lease
	p.provider.respondWith(errNoCredit)
	if _, err := p.workers[1].Profile(t.Context(), slug); !errors.Is(err, errNoCredit) {
		t.Errorf("got %v; want another probe", err)
	}
	close(release)
	group.Wait()
	p.wantReasons(map[profile.Reason]int{profile.Paused: 3})
}

// TestABreakerThatOpensBetweenTwoWrites fails unless a look-up is refused if a failure in another shard opens its own after its first
// write, which failed because the shard was idle, and before its second one.
func TestABreakerThatOpensBetweenTwoWrites(t *testing.T) {
	t.Parallel()
	var isIdle atomic.Bool
	var writes atomic.Int64
	var p *workerPool
	p = newWorkerPool(t, 1, wideLimits, func(ctx context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "UpdateItem" && isIdle.Load() && writes.Add(1) == 2 {
			pk, sk := itemkey.ProviderBreaker.Key(endpoint, "0")
			open := p.table.Update(topology.PK, pk).Range(topology.SK, sk).Set("openUntil", p.clock.Now().Add(breakerPause).UnixMilli())
			if err := open.Run(ctx); err != nil {
				t.Error(err)
			}
		}
		return send()
	})
	_ = p.askOnce() // creates the item
	p.clock.Move(time.Hour)
	isIdle.Store(true)
	p.wantReasons(map[profile.Reason]int{profile.Paused: 1})
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
