package client

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Retry is a request that is about to be sent again.
type Retry struct {
	Operation string
	// Attempt is the number of the attempt that failed, from 1, with Err; Pause is the wait before
	// the next one.
	Attempt int
	Pause   time.Duration
	Err     error
}

// WithRetryHook has hook called before each wait for a retry, for logs and metrics.
func WithRetryHook(hook func(Retry)) Option { return func(c *Client) { c.onRetry = hook } }

// WithPacing lets the client wait before a request for which the key has no rate left in the
// window, as the headers of the last response of its tier say. Without it, such a request is sent,
// refused and repeated.
func WithPacing() Option { return func(c *Client) { c.pacer = &pacer{} } }

// pacer knows what is left of the windows of both tiers. The nil pacer never waits.
type pacer struct {
	mu      sync.Mutex
	windows map[string]window
}

// window is what a response said of a tier: left requests until ends.
type window struct {
	left int
	ends time.Time
}

// delay returns how long to wait before a request of the tier, which it counts.
func (p *pacer) delay(tier contract.Tier) time.Duration {
	if p == nil || tier.Limit == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w, known := p.windows[tier.Name]
	if w.left--; known && w.left < 0 {
		delete(p.windows, tier.Name) // a new window begins after the wait
		return max(time.Until(w.ends), 0)
	}
	if known {
		p.windows[tier.Name] = w
	}
	return 0
}

// observe notes what the headers of a response say of its tier.
func (p *pacer) observe(tier contract.Tier, header http.Header) {
	left, err1 := strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	seconds, err2 := strconv.Atoi(header.Get("X-RateLimit-Reset"))
	if p == nil || err1 != nil || err2 != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.windows == nil {
		p.windows = map[string]window{}
	}
	p.windows[tier.Name] = window{left, time.Now().Add(time.Duration(seconds+1) * time.Second)}
}

// pace waits until the key has rate left for an operation.
func (c *Client) pace(ctx context.Context, operation string) error {
	if d := c.pacer.delay(contract.FindRoute(operation).Tier); d > 0 {
		return c.wait(ctx, d)
	}
	return nil
}
