package client

import (
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
func WithPacing() Option { return func(c *Client) { c.pacer = newPacer() } }

// pacer knows what is left of the windows of both tiers. The nil pacer never waits.
type pacer struct {
	mu       sync.Mutex
	windows  map[string]rateWindow
	underWay map[string]int // requests without a response, by tier
}

// rateWindow is what is known of a tier: Left requests until Ends. If Left is negative, so many
// requests wait for the next window.
type rateWindow struct {
	Left int
	Ends time.Time
}

const (
	windowLength = contract.WindowSeconds * time.Second
	// sameWindow is how far two responses of one window may differ about its end.
	sameWindow = 5 * time.Second
)

func newPacer() *pacer { return &pacer{windows: map[string]rateWindow{}, underWay: map[string]int{}} }

// delay returns how long to wait before a request of the tier, which it counts.
func (p *pacer) delay(tier contract.Tier) time.Duration {
	if p == nil || tier.Limit == 0 {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.underWay[tier.Name]++
	w, known := p.windows[tier.Name]
	if !known {
		return 0
	}
	for now := time.Now(); !now.Before(w.Ends); {
		w = rateWindow{tier.Limit + min(w.Left, 0), w.Ends.Add(windowLength)}
	}
	w.Left--
	p.windows[tier.Name] = w
	if w.Left >= 0 {
		return 0
	}
	return time.Until(w.Ends.Add(time.Duration((-w.Left-1)/tier.Limit) * windowLength))
}

// observe notes that a request of the tier has ended, and what the headers of its response say.
func (p *pacer) observe(tier contract.Tier, header http.Header) {
	if p == nil || tier.Limit == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.underWay[tier.Name]--
	left, err1 := strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	seconds, err2 := strconv.Atoi(header.Get("X-RateLimit-Reset"))
	if err1 != nil || err2 != nil {
		return
	}
	// The service has perhaps not counted what is under way. The window itself has: then the lower
	// number is the right one.
	w := rateWindow{left - p.underWay[tier.Name], time.Now().Add(time.Duration(seconds+1) * time.Second)}
	if last, known := p.windows[tier.Name]; known && w.Ends.Sub(last.Ends).Abs() < sameWindow {
		w = rateWindow{min(left, last.Left), last.Ends}
	}
	p.windows[tier.Name] = w
}
