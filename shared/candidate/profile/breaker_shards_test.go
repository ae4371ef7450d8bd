package profile_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// manyShards are the limits of 333 look-ups a second that take 1.2 seconds.
var manyShards = profile.Limits{PerMinute: 20_000, Concurrency: 400}

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

// TestNoItemOfTheBreakerIsHot fails unless 320 look-ups at the same time, as at 320 a second of a second each, use at most a sixth of the writes
// that DynamoDB takes for an item in that second, and no item has more of them than fit into one write unit.
func TestNoItemOfTheBreakerIsHot(t *testing.T) {
	t.Parallel()
	const lookUps = 320
	writes := &itemWrites{of: map[string]int{}}
	p := newWorkerPool(t, lookUps, manyShards, writes.observe)
	var began sync.WaitGroup
	began.Add(lookUps)
	release := make(chan struct{})
	p.provider.respond(func(context.Context) error { began.Done(); <-release; return nil })
	var group sync.WaitGroup
	for _, worker := range p.workers {
		group.Go(func() {
			if _, err := worker.Profile(t.Context(), slug); err != nil {
				t.Error(err)
				began.Done()
			}
		})
	}
	began.Wait()
	var items []struct {
		Slots map[string]int64 `dynamo:"slots"`
	}
	if err := p.table.Scan().All(t.Context(), &items); err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if len(item.Slots) > 32 {
			t.Errorf("an item has %d look-ups", len(item.Slots))
		}
	}
	close(release)
	group.Wait()
	all := 0
	for _, n := range writes.of {
		all += n
	}
	busiest := slices.Max(slices.Collect(maps.Values(writes.of)))
	t.Logf("%d items, %d writes of the busiest one, %.2f writes a look-up", len(items), busiest, float64(all)/lookUps)
	if busiest > 160 || float64(all)/lookUps > 3 {
		t.Errorf("%d writes of the busiest item and %d of all; want at most 160, and three a look-up", busiest, all)
	}
}

// TestAllShardsOpenAndCloseTogether fails unless a refusal that one worker sees stops all others, one look-up probes when its pause is over, and
// its success lets all look-ups through.
func TestAllShardsOpenAndCloseTogether(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 60, manyShards)
	p.provider.respondWith(errNoCredit)
	if _, err := p.workers[0].Profile(t.Context(), slug); !errors.Is(err, errNoCredit) {
		t.Fatal(err)
	}
	if n := p.countLookups(func() { p.wantReasons(map[profile.Reason]int{profile.Paused: 60}) }); n != 0 {
		t.Errorf("asked %d times while the breaker is open", n)
	}
	p.clock.Move(breakerPause)
	if n := p.countLookups(func() { p.askWithAll() }); n != 1 {
		t.Errorf("%d probes, want 1", n)
	}
	p.clock.Move(maxOpenTime)
	p.provider.respondWith(nil)
	if err := p.askOnce(); err != nil {
		t.Fatalf("got %v, want the probe", err)
	}
	p.wantReasons(map[profile.Reason]int{"": 60})
}

// TestAShardThatWasNotClosedIsClosed fails unless a shard is used again that the worker did not close that closed the others, because it died.
func TestAShardThatWasNotClosedIsClosed(t *testing.T) {
	t.Parallel()
	var isDead atomic.Bool
	p := newWorkerPool(t, 20, manyShards, func(_ context.Context, call cloud.Call, send func() error) error {
		in, ok := call.Input.(*dynamodb.UpdateItemInput)
		if ok && isDead.Load() && !isOfHome(in) && !strings.Contains(*in.ConditionExpression, "size") {
			return errors.New("the worker died")
		}
		return send()
	})
	p.provider.respondWith(errNoCredit)
	_ = p.askOnce()
	p.clock.Move(breakerPause)
	p.provider.respondWith(nil)
	isDead.Store(true)
	if err := p.askOnce(); err != nil {
		t.Fatalf("got %v, want the probe", err)
	}
	isDead.Store(false)
	p.wantReasons(map[profile.Reason]int{"": 20})
	p.wantReasons(map[profile.Reason]int{"": 20})
}

func isOfHome(in *dynamodb.UpdateItemInput) bool {
	return strings.HasSuffix(in.Key[topology.PK].(*types.AttributeValueMemberS).Value, "#0")
}

// TestFailuresOpenAnyNumberOfShards fails unless a provider that fails is asked at most five times for each shard before no worker asks it.
func TestFailuresOpenAnyNumberOfShards(t *testing.T) {
	t.Parallel()
	limits := profile.Limits{PerMinute: 600, Concurrency: 128} // four shards
	p := newWorkerPool(t, 2, limits)
	p.provider.respondWith(errDown)
	asked := p.countLookups(func() {
		for range 40 {
			p.askWithAll()
		}
	})
	if asked < 5 || asked > 4*4+5+1 {
		t.Errorf("asked %d times before the breaker opened", asked)
	}
}

// TestNoPeriodHasMoreThanItsRate fails unless, in every period, all workers together make at most as many look-ups as the rate allows, and those
// of 20 seconds: what is saved, made in advance and waited for.
func TestNoPeriodHasMoreThanItsRate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		limits := profile.Limits{PerMinute: rapid.IntRange(1, 300).Draw(r, "rate"), Concurrency: rapid.IntRange(1, 100).Draw(r, "concurrency")}
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
	shards := (limits.Concurrency + 31) / 32
	for i := range times {
		for j := i; j < len(times); j++ {
			most := float64(limits.PerMinute)/60*(times[j].Sub(times[i])+20*time.Second).Seconds() + float64(shards)
			if got := j - i + 1; float64(got) > most+0.01 {
				r.Fatalf("%d look-ups in %v, want at most %.1f of %+v", got, times[j].Sub(times[i]), most, limits)
			}
		}
	}
}

// TestOpeningAShardEnds fails unless a worker gives up a shard that it can neither open nor create.
func TestOpeningAShardEnds(t *testing.T) {
	t.Parallel()
	const many = 1000
	var refused atomic.Int64
	limits := profile.Limits{PerMinute: 600, Concurrency: 64} // two shards
	p := newWorkerPool(t, 1, limits, func(_ context.Context, call cloud.Call, send func() error) error {
		in, ok := call.Input.(*dynamodb.UpdateItemInput)
		isOpening := ok && !isOfHome(in) && strings.Contains(*in.UpdateExpression, "trips")
		if isOpening && refused.Add(1) < many {
			return &types.ConditionalCheckFailedException{}
		}
		return send()
	})
	p.provider.respondWith(errNoCredit)
	_ = p.askOnce()
	if n := refused.Load(); n == 0 || n > 20 {
		t.Errorf("a shard was opened %d times, want at most 20", n)
	}
}
