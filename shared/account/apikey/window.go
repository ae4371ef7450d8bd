package apikey

import (
	"fmt"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

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

func (w window) buildAuthentication(caller Caller, count int) Authentication {
	return Authentication{Caller: caller, Limit: w.tier.Limit, Remaining: max(0, w.tier.Limit-count), Reset: w.endTime()}
}

// rateLimitError returns the 429 of a full window.
func (w window) rateLimitError(now time.Time) error {
	wait := w.endTime().Sub(now).Truncate(time.Second) + time.Second
	err := fault.New(fault.TooMany, contract.RateLimited, fmt.Sprintf(
		"The key has used its %d requests of this minute in the %s tier. Retry after %d seconds.",
		w.tier.Limit, w.tier.Name, wait/time.Second))
	err.RetryAfter = wait
	return err
}
