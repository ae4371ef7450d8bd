package profile_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// manyShards are the limits of 333 look-ups a second: seven shards.
var manyShards = profile.Limits{PerMinute: 20_000}

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
		if ok && isDead.Load() && !isOfHome(in) && !strings.Contains(*in.ConditionExpression, "refilled") {
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
	limits := profile.Limits{PerMinute: 12_000} // four shards
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

// TestOpeningAShardEnds fails unless a worker gives up a shard that it can neither open nor create.
func TestOpeningAShardEnds(t *testing.T) {
	t.Parallel()
	const many = 1000
	var refused atomic.Int64
	limits := profile.Limits{PerMinute: 6_000} // two shards
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

// TestALostItemIsReplaced fails unless look-ups go on after the item was deleted while one of them failed.
func TestALostItemIsReplaced(t *testing.T) {
	t.Parallel()
	p := newWorkerPool(t, 1, wideLimits)
	p.provider.respond(func(ctx context.Context) error {
		pk, sk := itemkey.ProviderBreaker.Key(endpoint, "0")
		if err := p.table.Delete(topology.PK, pk).Range(topology.SK, sk).Run(ctx); err != nil {
			t.Error(err)
		}
		return errDown
	})
	_ = p.askOnce()
	p.provider.respondWith(nil)
	if err := p.askOnce(); err != nil {
		t.Error(err)
	}
}
