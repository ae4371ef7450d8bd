package catalogue

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	// MaxHeld is the time after the last read of the log for which a copy is served that cannot be
	// brought up to date.
	MaxHeld = 15 * time.Minute
	// heldRetryAfter is the time that callers are asked to wait if no such copy exists.
	heldRetryAfter = 5 * time.Second
)

// holdState returns the copy as it was when the log was last read, although it cannot be brought up to
// date because of cause. It returns a refusal if no copy exists, or if that read is longer ago than
// MaxHeld. It logs the age of the copy.
func (c *Catalogue) holdState(ctx context.Context, now time.Time, cause error) (State, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isUsable() {
		return State{}, fault.Refusal(heldRetryAfter, cause)
	}
	age := now.Sub(c.read.Latest)
	c.heldAt = now
	c.log.WarnContext(ctx, "the catalogue is held", topology.MetricCatalogueAge, age.Seconds(), "cause", cause)
	if age > MaxHeld {
		return State{}, fault.Refusal(heldRetryAfter, cause)
	}
	return c.newState(), nil
}
