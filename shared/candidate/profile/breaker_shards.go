package profile

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// Bounds of a shard. Its item stays below 1 KB, so that each write costs one unit, and a look-up
// costs two of the 1,000 units that DynamoDB takes for a key in a second.
const (
	slotsPerShard = 32
	ratePerShard  = 250 * 60 // look-ups in a minute
	// maxShardTries bounds the shards that are tried for a permit: the others may have one when
	// some have none.
	maxShardTries = 4
	// parallelShards bounds the shards that are opened or closed at the same time.
	parallelShards = 16
	// openRounds bounds the writes that open a shard: the second one finds the item that was created.
	openRounds = 2
	// minExtension is the least time by which a pause is extended.
	minExtension = time.Second
	// homeShard decides for all shards who probes, and is opened and closed before the others.
	homeShard = 0
)

// errPauseOver reports that a shard's pause is over and that the home shard has the probe.
var errPauseOver = errors.New("the pause of the shard is over")

// Shards returns the number of shards. It depends on the limits alone, so all workers have the
// same number; while a release changes it, the sum of the old and the new limits applies.
func (l Limits) Shards() int {
	n := max((l.Concurrency+slotsPerShard-1)/slotsPerShard, (l.PerMinute+ratePerShard-1)/ratePerShard)
	return min(n, l.Concurrency)
}

// slots returns a shard's part of the look-ups at a time.
func (b *Breaker) slots(shard int) int {
	n := b.Limits.Shards()
	return (b.Limits.Concurrency + n - 1 - shard) / n
}

// interval is the time between two look-ups at a shard's part of the provider's rate.
func (b *Breaker) interval() time.Duration {
	return time.Minute * time.Duration(b.Limits.Shards()) / time.Duration(b.Limits.PerMinute)
}

// acquirePermit returns a permit of a random shard, or *Unavailable if the shards that it tries
// have none now.
func (b *Breaker) acquirePermit(ctx context.Context) (p permit, err error) {
	if err := b.CheckOpen(); err != nil {
		return permit{}, err
	}
	id := b.NewID()
	text := id.String()
	shards := b.Limits.Shards()
	first := int(binary.BigEndian.Uint32(id[12:])) % shards
	for try := range min(shards, maxShardTries) {
		p, err = b.acquireOrProbe(ctx, permit{id: text[len(text)-12:], shard: (first + try) % shards})
		if down, ok := errors.AsType[*Unavailable](err); !ok || down.Reason != Throttled {
			return p, err
		}
	}
	return p, err
}

// acquireOrProbe is acquireIn for a shard with a pause that may be over: then the permit is the home
// shard's. If that one is closed already, the worker that closed it died before it closed the other.
func (b *Breaker) acquireOrProbe(ctx context.Context, p permit) (permit, error) {
	found, err := b.acquireIn(ctx, p)
	if !errors.Is(err, errPauseOver) {
		return found, err
	}
	found, err = b.acquireIn(ctx, permit{id: p.id, shard: homeShard})
	if err == nil && !found.probe {
		_ = b.closeShard(ctx, p.shard)
	}
	return found, err
}

// forEachOther calls do with each shard but the home shard. Errors are ignored: a shard that stays
// closed opens by its own failures, and one that stays open is closed by acquireOrProbe.
func (b *Breaker) forEachOther(do func(shard int) error) {
	var g errgroup.Group
	g.SetLimit(parallelShards)
	for shard := homeShard + 1; shard < b.Limits.Shards(); shard++ {
		g.Go(func() error { return do(shard) })
	}
	_ = g.Wait()
}

// closeShard closes a shard after its pause.
func (b *Breaker) closeShard(ctx context.Context, shard int) error {
	return b.updateItem(shard).Set("failures", 0).Remove("openUntil", "trips").If("openUntil <= ?", b.Now().UnixMilli()).Run(ctx)
}

// openShard opens a shard until a time, or longer if it is open already. It creates the item of a shard that no look-up has used.
func (b *Breaker) openShard(ctx context.Context, shard int, p permit, until time.Time) (err error) {
	const isSooner = isClosed + " OR (openUntil <= ? AND attribute_not_exists(probe))"
	for range openRounds {
		update := setOpen(b.updateItem(shard), p, until).If("attribute_exists(pk) AND ("+isSooner+")", shortened(until))
		err = update.IncludeItemInCondCheckFail(true).Run(ctx)
		refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
		if !ok || refused.Item != nil {
			return err
		}
		if err := b.createItem(ctx, shard, b.Now()); err != nil {
			return err
		}
	}
	return err
}

// shortened returns the milliseconds of the latest end of a pause that is worth an extension until a
// time: many look-ups fail within a second, and each extension is written to every shard.
func shortened(until time.Time) int64 { return until.Add(-minExtension).UnixMilli() }
