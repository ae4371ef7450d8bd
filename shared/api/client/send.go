package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const (
	firstPause = 250 * time.Millisecond
	// longestPause bounds the client's own back-off; longestAdvice is the longest
	// wait it accepts from the server before it leaves the decision to its caller.
	longestPause  = 8 * time.Second
	longestAdvice = 2 * time.Minute
	// largestAnswer is more than any response of the API has.
	largestAnswer = 32 << 20
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

// callOperation sends an operation until it succeeds, is refused for good, or has used
// up its attempts, and decodes the response.
func callOperation[Out any](ctx context.Context, c *Client, operation string, in any) (out Out, header http.Header, err error) {
	m, err := c.newMessage(operation, in)
	if err != nil {
		return out, nil, fmt.Errorf("%s: %w", operation, err)
	}
	for attempt := 1; ; attempt++ {
		var answer []byte
		answer, header, err = c.sendOnce(ctx, m)
		if err == nil {
			err = json.Unmarshal(answer, &out)
			if err != nil {
				err = fmt.Errorf("%s: the answer cannot be read: %w", operation, err)
			}
			return out, header, err
		}
		pause, again := nextAttempt(err, attempt)
		isTooLate := !c.last.IsZero() && time.Now().Round(0).Add(pause).After(c.last) // by the clock, which goes on while a machine sleeps
		isLast := attempt >= c.attempts || ctx.Err() != nil || isTooLate
		// Whether sending the message twice has the effect of once.
		isRepeatable := m.method == http.MethodGet || m.operation == "uploadResume" || m.header.Get("Idempotency-Key") != ""
		mayRepeat := again && isRepeatable
		if isLast || !mayRepeat {
			return out, header, err
		}
		if c.onRetry != nil {
			c.onRetry(Retry{operation, attempt, pause, err})
		}
		if stopped := c.wait(ctx, pause); stopped != nil {
			return out, header, fmt.Errorf("%w; stopped waiting to retry: %w", err, stopped)
		}
	}
}

// callFor is callOperation without the header.
func callFor[Out any](ctx context.Context, c *Client, operation string, in any) (Out, error) {
	out, _, err := callOperation[Out](ctx, c, operation, in)
	return out, err
}

// sendOnce makes one attempt, once the key has rate left for it, and returns the body of a success.
func (c *Client) sendOnce(ctx context.Context, m message) (body []byte, header http.Header, err error) {
	tier := contract.FindRoute(m.operation).Tier
	pause := c.pacer.delay(tier)
	defer func() { c.pacer.observe(tier, header) }()
	if pause > 0 && c.onPause != nil {
		c.onPause(pause)
	}
	if pause > 0 {
		err = c.wait(ctx, pause)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: stopped waiting for the rate: %w", m.operation, err)
	}
	request, err := http.NewRequestWithContext(ctx, m.method, m.url, bytes.NewReader(m.body))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", m.operation, withoutURL(err))
	}
	request.Header = m.header.Clone()
	response, err := c.http.Do(request)
	if err != nil {
		return nil, nil, &lostError{fmt.Errorf("%s: %w", m.operation, withoutURL(err))}
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return nil, response.Header, &lostError{fmt.Errorf("%s: %w", m.operation, err)}
	}
	if response.StatusCode/100 != 2 {
		return nil, response.Header, readError(m.operation, response, body)
	}
	return body, response.Header, nil
}

// withoutURL returns an error of net/http without the request's URL, in which a
// parameter may name a person.
func withoutURL(err error) error {
	if addressed, ok := errors.AsType[*url.Error](err); ok {
		return addressed.Err
	}
	return err
}

// lostError means that a request got no response: it may or may not have been done.
type lostError struct{ error }

// Unwrap returns the network's error.
func (l *lostError) Unwrap() error { return l.error }

// nextAttempt returns whether to try again after an error, and when.
func nextAttempt(err error, attempt int) (pause time.Duration, again bool) {
	pause = backoffPause(attempt)
	if _, lost := errors.AsType[*lostError](err); lost {
		return pause, true
	}
	refused, ok := errors.AsType[*Error](err)
	if !ok || refused.RetryAfter > longestAdvice {
		return 0, false
	}
	// Our own earlier attempt may still be running if its response was lost.
	again = refused.Status == http.StatusTooManyRequests || refused.Status >= 500 || refused.Code == contract.IdempotencyInProgress
	return max(pause, refused.RetryAfter), again
}

// backoffPause returns a pause that doubles from firstPause to longestPause, less up
// to half of it at random, so that clients that failed together do not retry together.
func backoffPause(attempt int) time.Duration {
	pause := min(firstPause<<min(attempt-1, 10), longestPause)
	return pause - rand.N(pause/2)
}

// retryAfter returns how long the server advises to wait; zero means no advice.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

func sleepContext(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

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
