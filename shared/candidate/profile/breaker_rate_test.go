package profile_test

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// All workers together stay within the rate, except for the burst after ten idle seconds and
// for look-ups that wait up to ten seconds for their token.
func TestTheRateHoldsForAllWorkers(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 8, profile.Limits{PerMinute: 60})
	start := p.clock.Now()
	served := 0
	for p.clock.Now().Sub(start) < 10*time.Minute {
		served += p.askWithAll()[""]
		p.clock.Move(2 * time.Second)
	}
	if served < 600 || served > 621 {
		t.Errorf("%d look-ups in ten minutes at 60 a minute", served)
	}
}

// TestWorkersThatDieLoseNothing fails unless the look-ups of workers that die take tokens like all others, and keep none of the
// look-ups after them from the provider.
func TestWorkersThatDieLoseNothing(t *testing.T) {
	t.Parallel()
	const deaths = 20
	p := newWorkerPool(t, 8, profile.Limits{PerMinute: 60})
	p.provider.respond(func(context.Context) error { panic("the worker dies") })
	for range deaths {
		func() {
			defer func() { _ = recover() }()
			_ = p.askOnce()
		}()
		p.clock.Move(time.Second)
	}
	p.provider.respondWith(nil)
	p.wantReasons(map[profile.Reason]int{"": 8}) // in advance
	p.clock.Move(8 * time.Second)
	p.wantReasons(map[profile.Reason]int{"": 8})
}

// TestALookUpWritesTheItemOnce fails unless a look-up that has an answer costs one write of the item and one read, a second write
// after five idle seconds or after a failure, and nothing while the worker knows that the breaker is open.
func TestALookUpWritesTheItemOnce(t *testing.T) {
	t.Parallel()
	const read, write = "DynamoDB.GetItem", "DynamoDB.UpdateItem"
	calls := &cloudtest.Calls{}
	p := newWorkerPool(t, 1, wideLimits, calls.Hook)
	ask := func(want ...string) {
		t.Helper()
		calls.Reset()
		_ = p.askOnce()
		if got := calls.Reset(); !slices.Equal(got, want) {
			t.Errorf("a look-up made the calls %v; want %v", got, want)
		}
	}
	p.askWithAll() // creates the item
	ask(write, read)
	p.clock.Move(4 * time.Second)
	ask(write, read)
	p.clock.Move(time.Hour)
	ask(write, write, read)
	p.provider.respondWith(&profile.Unavailable{Reason: profile.Canceled, Retryable: true})
	ask(write)
	p.provider.respondWith(errDown)
	ask(write, write)
	p.provider.respondWith(nil)
	ask(write, read, write)
	ask(write, read)
	p.provider.respondWith(errNoCredit)
	ask(write, write, write)
	ask()
	if err := p.workers[0].CheckOpen(); err == nil {
		t.Error("the worker forgot that the breaker is open")
	}
}

// itemWrites counts the writes of each item.
type itemWrites struct {
	mu sync.Mutex
	of map[string]int
}

func (w *itemWrites) observe(_ context.Context, call cloud.Call, send func() error) error {
	if in, ok := call.Input.(*dynamodb.UpdateItemInput); ok {
		w.mu.Lock()
		w.of[in.Key[topology.PK].(*types.AttributeValueMemberS).Value]++
		w.mu.Unlock()
	}
	return send()
}

// TestNoItemOfTheBreakerIsHot fails unless 320 look-ups at the same moment make a write each, and at most a tenth of those that
// DynamoDB takes for an item in a second are of one item.
func TestNoItemOfTheBreakerIsHot(t *testing.T) {
	t.Parallel()
	const lookUps = 320
	writes := &itemWrites{of: map[string]int{}}
	p := newWorkerPool(t, lookUps, manyShards, writes.observe)
	p.wantReasons(map[profile.Reason]int{"": lookUps}) // creates the items
	clear(writes.of)
	p.wantReasons(map[profile.Reason]int{"": lookUps})
	all := 0
	for item, n := range writes.of {
		all += n
		if n > 100 {
			t.Errorf("%d writes of %s; want at most 100", n, item)
		}
	}
	if all != lookUps || len(writes.of) != manyShards.Shards() {
		t.Errorf("%d writes of %d items; want %d", all, len(writes.of), lookUps)
	}
}

// TestShardsHaveEqualPartsOfTheRate fails unless all shards together have the look-ups of a tenth of a second when so much of their
// time is left.
func TestShardsHaveEqualPartsOfTheRate(t *testing.T) {
	t.Parallel()
	limits := profile.Limits{PerMinute: 6_000} // ten in a tenth of a second
	p := newWorkerPool(t, 1, limits)
	for shard := range limits.Shards() {
		pk, sk := itemkey.ProviderBreaker.Key(endpoint, strconv.Itoa(shard))
		full := p.clock.Now().Add(15 * time.Second) // made in advance and waited for
		item := p.table.Update(topology.PK, pk).Range(topology.SK, sk)
		if err := item.Set("refilled", full.Add(-time.Second/10).UnixMicro()).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	served := 0
	for p.askOnce() == nil {
		served++
	}
	if shards := limits.Shards(); shards != 2 || served < 10 || served > 10+shards {
		t.Errorf("%d look-ups of %d shards; want ten, and at most one more of each of two", served, shards)
	}
}

// TestNoPeriodHasMoreThanItsRate fails unless, in every period, all workers together make at most as many look-ups as the rate allows, and those
// of 20 seconds: what is saved, made in advance and waited for.
func TestNoPeriodHasMoreThanItsRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		limits := profile.Limits{PerMinute: rapid.IntRange(1, 300).Draw(r, "rate")}
		p := newWorkerPool(t, rapid.IntRange(1, 6).Draw(r, "workers"), limits)
		var times []time.Time
		for range rapid.IntRange(1, 6).Draw(r, "steps") {
			p.clock.Move(time.Duration(rapid.IntRange(1, 30_000).Draw(r, "pause")) * time.Millisecond)
			for range rapid.IntRange(1, 4).Draw(r, "repeats") {
				for range p.askWithAll()[""] {
					times = append(times, p.clock.Now())
				}
			}
		}
		checkRate(r, limits, times)
	})
}

// checkRate compares the number of look-ups between any two of them with the rate.
func checkRate(r *rapid.T, limits profile.Limits, times []time.Time) {
	for i := range times {
		for j := i; j < len(times); j++ {
			most := float64(limits.PerMinute)/60*(times[j].Sub(times[i])+20*time.Second).Seconds() + 1
			if got := j - i + 1; float64(got) > most+0.01 {
				r.Fatalf("%d look-ups in %v, want at most %.1f of %+v", got, times[j].Sub(times[i]), most, limits)
			}
		}
	}
}
