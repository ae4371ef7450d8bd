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
		mayRepeat := again && m.isRepeatable()
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
