package profile

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"
)

// reportOutcome releases the permit and opens or closes the breaker. An error of the
// table is ignored: the permit's lease ends, and the next look-up reports the same.
func (b *Breaker) reportOutcome(ctx context.Context, p permit, outcome error) {
	release := b.releasePermit(p)
	var down *Unavailable
	isDown := errors.As(outcome, &down)
	switch {
	case isDown && down.Reason == Canceled: // says nothing about the provider
		_ = release.Run(ctx)
	case isDown && down.IsOutage():
		b.recordFailure(ctx, p, release, down)
	case p.probe: // its answer closes the breaker
		err := release.Set("failures", 0).Remove("openUntil", "trips").Run(ctx)
		if err == nil {
			b.forEachOther(func(shard int) error { return b.closeShard(ctx, shard) })
		}
	default:
		_ = release.Set("failures", 0).Run(ctx)
	}
}

// releasePermit begins the write that ends a permit. Its condition fails for a worker if its
// lease ended and another one took its slot.
func (b *Breaker) releasePermit(p permit) *dynamo.Update {
	if p.probe {
		return b.updateItem(p.shard).RemoveExpr("slots.$", p.id).Remove("probe", "probeUntil").If("probe = ?", p.id)
	}
	return b.updateItem(p.shard).RemoveExpr("slots.$", p.id).If("attribute_exists(slots.$)", p.id)
}

// recordFailure opens the breaker after a probe, after too many failures, or at once for some.
func (b *Breaker) recordFailure(ctx context.Context, p permit, release *dynamo.Update, down *Unavailable) {
	until := b.pauseAfter(p, down)
	if p.probe {
		b.openOthers(ctx, p, until, setOpen(release, p, until).Run(ctx))
		return
	}
	var item breakerItem // stays empty if the write fails
	_ = release.Add("failures", 1).Value(ctx, &item)
	opens := down.opensAtOnce() || item.Failures >= failureThreshold
	if opens && item.OpenUntil <= shortened(until) {
		b.openOthers(ctx, p, until, b.openShard(ctx, homeShard, p, until))
	}
}

// openOthers opens the other shards, and remembers until when, unless the home shard failed to open.
func (b *Breaker) openOthers(ctx context.Context, p permit, until time.Time, home error) {
	if home == nil {
		b.openUntil.Store(until.UnixMilli())
		b.forEachOther(func(shard int) error { return b.openShard(ctx, shard, p, until) })
	}
}

func setOpen(u *dynamo.Update, p permit, until time.Time) *dynamo.Update {
	return u.Set("openUntil", until.UnixMilli()).Set("trips", p.trips+1)
}
