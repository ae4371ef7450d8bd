package profile

import (
	"context"
	"time"

	"github.com/guregu/dynamo/v2"
)

// releasePermit begins the write that ends a permit. Its condition fails for a worker if its
// lease ended and another one took its slot.
func (b *Breaker) releasePermit(p permit) *dynamo.Update {
	if p.probe {
		return b.updateItem(p.shard).RemoveExpr("slots.$", p.id).Remove("probe", "probeUntil").If("probe = ?", p.id)
	}
	return b.updateItem(p.shard).RemoveExpr("slots.$", p.id).If("attribute_exists(slots.$)", p.id)
}

// abandonPermit ends a permit after a look-up that says nothing about the provider.
func (b *Breaker) abandonPermit(ctx context.Context, p permit) error {
	return b.releasePermit(p).Run(ctx)
}

// recordAnswer ends a permit after the provider answered the look-up. A probe closes the breaker.
func (b *Breaker) recordAnswer(ctx context.Context, p permit) error {
	answered := b.releasePermit(p).Set("failures", 0)
	if !p.probe {
		return answered.Run(ctx)
	}
	err := answered.Remove("openUntil", "trips").Run(ctx)
	if err == nil {
		b.forEachOther(func(shard int) error { return b.closeShard(ctx, shard) })
	}
	return err
}

// recordFailure ends a permit, counts a failure and returns the shard after it.
func (b *Breaker) recordFailure(ctx context.Context, p permit) (item breakerItem, err error) {
	err = b.releasePermit(p).Add("failures", 1).Value(ctx, &item)
	return item, err
}

// openBreaker opens the breaker until a time, or longer if it is open already.
func (b *Breaker) openBreaker(ctx context.Context, p permit, until time.Time) error {
	return b.storeOpen(ctx, p, until, b.openShard(ctx, homeShard, p, until))
}

// reopenBreaker ends a probe that failed.
func (b *Breaker) reopenBreaker(ctx context.Context, p permit, until time.Time) error {
	return b.storeOpen(ctx, p, until, b.setOpen(b.releasePermit(p), p, until).Run(ctx))
}

func (b *Breaker) setOpen(u *dynamo.Update, p permit, until time.Time) *dynamo.Update {
	return u.Set("openUntil", until.UnixMilli()).Set("trips", p.trips+1)
}

// storeOpen opens the other shards once the home shard is open, and remembers until when.
func (b *Breaker) storeOpen(ctx context.Context, p permit, until time.Time, home error) error {
	if home != nil {
		return home
	}
	b.openUntil.Store(until.UnixMilli())
	b.forEachOther(func(shard int) error { return b.openShard(ctx, shard, p, until) })
	return nil
}
