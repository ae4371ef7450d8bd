package profile

import (
	"context"
	"time"

	"github.com/guregu/dynamo/v2"
)

// release begins the write that ends a permit. A worker whose lease is over, and whose
// slot another one took, reports nothing.
func (b *Breaker) release(p permit) *dynamo.Update {
	if p.probe {
		return b.update().RemoveExpr("slots.$", p.id).Remove("probe", "probeUntil").If("probe = ?", p.id)
	}
	return b.update().RemoveExpr("slots.$", p.id).If("attribute_exists(slots.$)", p.id)
}

// abandonPermit ends a permit whose look-up says nothing of the provider.
func (b *Breaker) abandonPermit(ctx context.Context, p permit) error {
	return b.release(p).Run(ctx)
}

// recordAnswer ends a permit whose look-up the provider answered. A probe closes the breaker.
func (b *Breaker) recordAnswer(ctx context.Context, p permit) error {
	answered := b.release(p).Set("failures", 0)
	if p.probe {
		answered.Remove("openUntil", "trips")
	}
	return answered.Run(ctx)
}

// recordFailure ends a permit and returns the number of consecutive failures.
func (b *Breaker) recordFailure(ctx context.Context, p permit) (int, error) {
	var item breakerItem
	err := b.release(p).Add("failures", 1).Value(ctx, &item)
	return item.Failures, err
}

// open opens the breaker until a time, or longer if it is open already.
func (b *Breaker) open(ctx context.Context, p permit, until time.Time) error {
	return b.noteOpen(ctx, until, b.setOpen(b.update(), p, until).
		If("attribute_not_exists(openUntil) OR (openUntil < ? AND attribute_not_exists(probe))", until.UnixMilli()))
}

// reopen ends a probe that failed.
func (b *Breaker) reopen(ctx context.Context, p permit, until time.Time) error {
	return b.noteOpen(ctx, until, b.setOpen(b.release(p), p, until))
}

func (b *Breaker) setOpen(u *dynamo.Update, p permit, until time.Time) *dynamo.Update {
	return u.Set("openUntil", until.UnixMilli()).Set("trips", p.trips+1)
}

func (b *Breaker) noteOpen(ctx context.Context, until time.Time, u *dynamo.Update) error {
	err := u.Run(ctx)
	if err == nil {
		b.openUntil.Store(until.UnixMilli())
	}
	return err
}
