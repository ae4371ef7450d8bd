package profile

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// Limits of one look-up.
const (
	maxAttempts    = 2
	attemptTimeout = 10 * time.Second
	retryWait      = time.Second
	maxRetryWait   = 5 * time.Second // longer waits are left to the queue
	responseLimit  = 1 << 20         // bytes, after decompression
	errorLimit     = 64 << 10        // bytes read of an error's body
)

// API is how a provider's HTTP API is reached: what the adapters have in common. Timeout and Wait may be zero.
type API struct {
	BaseURL string        // without a path
	APIKey  string        // sent in a header, never in the URL
	Timeout time.Duration // of one attempt; 0: 10 s
	// Wait pauses before the second attempt and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error
}

// question is a request for a profile: what the adapters differ in.
type question struct {
	target, header, key string // path and query, and the header that has the key
	decode              func(body []byte, slug string) (Profile, error)
}

// client follows no redirects: they would carry the key elsewhere.
var client = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// lookUp asks for a profile, with at most two attempts, and decodes the body of a 200.
func (a API) lookUp(ctx context.Context, slug string, q question) (Profile, error) {
	if slug == "" {
		return Profile{}, ErrNotFound
	}
	for attempt := 1; ; attempt++ {
		found, err := a.attemptOnce(ctx, slug, q)
		down, ok := errors.AsType[*Unavailable](err)
		mayAnswer := ok && down.Retryable && down.RetryAfter <= maxRetryWait
		if !mayAnswer || attempt == maxAttempts {
			return found, err
		}
		if err := waitFor(ctx, a.Wait, max(retryWait, down.RetryAfter)); err != nil {
			return Profile{}, err
		}
	}
}

func (a API) attemptOnce(caller context.Context, slug string, q question) (Profile, error) {
	ctx, cancel := context.WithTimeout(caller, cmp.Or(a.Timeout, attemptTimeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(a.BaseURL, "/")+q.target, nil)
	if err != nil || request.URL.Host == "" || strings.ContainsFunc(q.key, unicode.IsControl) {
		return Profile{}, &Unavailable{Reason: Settings, Operator: true}
	}
	request.Header.Set(q.header, q.key)
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return Profile{}, transportError(caller, err)
	}
	defer response.Body.Close()
	if err := errorForStatus(response.StatusCode); err != nil {
		return Profile{}, addErrorDetails(err, response)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, responseLimit+1))
	switch {
	case err != nil:
		return Profile{}, transportError(caller, err)
	case len(body) > responseLimit:
		return Profile{}, &Unavailable{Reason: TooLarge, Retryable: true}
	}
	return q.decode(body, slug)
}

// waitFor waits with the given function, or with a timer if it is nil. It fails, with *[Unavailable], if ctx ends first.
func waitFor(ctx context.Context, wait func(context.Context, time.Duration) error, length time.Duration) error {
	if wait == nil {
		wait = sleep
	}
	if err := wait(ctx, length); err != nil {
		return canceledError(err)
	}
	return nil
}

func sleep(ctx context.Context, length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
