package apikey

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// countRequest counts the request, in the one call, and returns the item of the usable key. Its error is a 401 or an
// internal error.
func (c *Checker) countRequest(ctx context.Context, hash string, w window, now time.Time) (key storedKey, err error) {
	nonce := strconv.FormatUint(rand.Uint64(), 36)
	key.withinRate, err = Update(c.table, hash).
		Add(w.counterName(), 1).
		Set(attrLastUsed, now.UnixMilli()).
		Set(w.nonceName(), nonce).
		If("attribute_exists($) AND attribute_not_exists($) AND attribute_not_exists($)", topology.PK, AttrRevokedAt, AttrDisabled).
		If("attribute_not_exists($) OR $ > ?", attrExpiresAt, attrExpiresAt, now.UnixMilli()).
		If("attribute_not_exists($) OR $ < ?", w.counterName(), w.counterName(), w.tier.Limit).
		If("attribute_not_exists($) OR $ <> ?", w.nonceName(), w.nonceName(), nonce).
		CurrentValue(ctx, &key)
	switch {
	case dynamo.IsCondCheckFailed(err): // and no item exists
		return storedKey{}, unauthenticatedError(contract.InvalidAPIKey)
	case err != nil:
		return storedKey{}, err
	case key.withinRate:
		c.removeStale(ctx, hash, key, w)
		return key, nil
	case key.text(w.nonceName()) == nonce: // our own attempt, counted; its answer was lost
		key.withinRate = true
		return key, nil
	case key.RevokedAt != 0 || key.Disabled:
		return key, unauthenticatedError(contract.RevokedAPIKey)
	case key.Expired(now):
		return key, unauthenticatedError(contract.ExpiredAPIKey)
	}
	return key, nil
}

// removeStale removes stale counters when they are many, so that the item stays under
// 1 KB (one write unit). The first request of a window does it, so that few processes
// do it at once, and waits for it, since a function may be frozen after its response.
// Its error is ignored: the next window's first request tries again.
func (c *Checker) removeStale(ctx context.Context, hash string, key storedKey, w window) {
	stale := key.staleCounters(w.minute)
	if len(stale) < staleEnough || key.count(w) != 1 {
		return
	}
	_ = Update(c.table, hash).Remove(stale...).If("attribute_exists($)", topology.PK).Run(ctx)
}

// window is one tier's UTC clock minute.
type window struct {
	tier   contract.Tier
	minute int64
}

func windowAt(tier contract.Tier, now time.Time) window {
	return window{tier: tier, minute: now.Unix() / contract.WindowSeconds}
}

// counterName returns the name of the window's counter: the tier's letter and the epoch minute.
func (w window) counterName() string { return w.tier.Name[:1] + strconv.FormatInt(w.minute, 10) }

// nonceName returns the name of the attribute with the last nonce that was counted in the tier.
func (w window) nonceName() string { return "nonce_" + w.tier.Name[:1] }

func (w window) endTime() time.Time { return time.Unix((w.minute+1)*contract.WindowSeconds, 0).UTC() }

// rateLimitError returns the 429 of a full window.
func (w window) rateLimitError(now time.Time) error {
	wait := w.endTime().Sub(now).Truncate(time.Second) + time.Second
	err := fault.New(fault.TooMany, contract.RateLimited, fmt.Sprintf(
		"The key has used its %d requests of this minute in the %s tier. Retry after %d seconds.",
		w.tier.Limit, w.tier.Name, wait/time.Second))
	err.RetryAfter = wait
	return err
}
