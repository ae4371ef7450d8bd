package profile

import (
	"context"
	"time"

	"github.com/guregu/dynamo/v2"
)

// releasePermit begins the write that ends a permit. Its condition fails for a worker whose
// lease ended and whose slot another one took.
func (b *Breaker) releasePermit(p permit) *dynamo.Update {
	if p.probe {
		return b.updateItem().RemoveExpr("slots.$", p.id).Remove("probe", "probeUntil").If("probe = ?", p.id)
	}
	return b.updateItem().RemoveExpr("slots.$", p.id).If("attribute_exists(slots.$)", p.id)
}

// abandonPermit ends a permit whose look-up says nothing about the provider.
func (b *Breaker) abandonPermit(ctx context.Context, p permit) error {
	return b.releasePermit(p).Run(ctx)
}

// recordAnswer ends a permit whose look-up the provider answered. A probe closes the breaker.
func (b *Breaker) recordAnswer(ctx context.Context, p permit) error {
	answered := b.releasePermit(p).Set("failures", 0)
	if p.probe {
		answered.Remove("openUntil", "trips")
	}
	return answered.Run(ctx)
}

// recordFailure ends a permit and returns the number of consecutive failures.
func (b *Breaker) recordFailure(ctx context.Context, p permit) (int, error) {
	var item breakerItem
	err := b.releasePermit(p).Add("failures", 1).Value(ctx, &item)
	return item.Failures, err
}

// openBreaker opens the breaker until a time, or longer if it is open already.
func (b *Breaker) openBreaker(ctx context.Context, p permit, until time.Time) error {
	return b.storeOpen(ctx, until, b.setOpen(b.updateItem(), p, until).
		If("attribute_not_exists(openUntil) OR (openUntil < ? AND attribute_not_exists(probe))", until.UnixMilli()))
}

// reopenBreaker ends a probe that failed.
func (b *Breaker) reopenBreaker(ctx context.Context, p permit, until time.Time) error {
	return b.storeOpen(ctx, until, b.setOpen(b.releasePermit(p), p, until))
}

func (b *Breaker) setOpen(u *dynamo.Update, p permit, until time.Time) *dynamo.Update {
	return u.Set("openUntil", until.UnixMilli()).Set("trips", p.trips+1)
}

// storeOpen runs the update, and remembers until when the breaker is open.
func (b *Breaker) storeOpen(ctx context.Context, until time.Time, u *dynamo.Update) error {
	err := u.Run(ctx)
	if err == nil {
		b.openUntil.Store(until.UnixMilli())
	}
	return err
}
