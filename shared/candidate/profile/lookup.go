package profile

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
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

// API is how a provider's HTTP API is reached: what the adapters have in common. Every field but BaseURL and
// APIKey may be zero.
type API struct {
	BaseURL string        // without a path
	APIKey  string        // sent in a header, never in the URL
	HTTP    *http.Client  // nil: http.DefaultClient; redirects are never followed
	Timeout time.Duration // of one attempt; 0: 10 s
	// Wait pauses before the second attempt and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error
}

// requester returns the request for a slug, and decoder reads the body of a 200 to it.
type (
	requester func(ctx context.Context, slug string) (*http.Request, error)
	decoder   func(body []byte, slug string) (Profile, error)
)

// lookUp asks for a profile, with at most two attempts, and decodes the body of a 200.
func (a API) lookUp(ctx context.Context, slug string, newRequest requester, decode decoder) (Profile, error) {
	if slug == "" {
		return Profile{}, ErrNotFound
	}
	for attempt := 1; ; attempt++ {
		found, err := a.attemptOnce(ctx, slug, newRequest, decode)
		var down *Unavailable
		mayAnswer := errors.As(err, &down) && down.isWorthRetry()
		if !mayAnswer || attempt == maxAttempts {
			return found, err
		}
		if err := waitFor(ctx, a.Wait, max(retryWait, down.RetryAfter)); err != nil {
			return Profile{}, err
		}
	}
}

func (a API) attemptOnce(caller context.Context, slug string, newRequest requester, decode decoder) (Profile, error) {
	ctx, cancel := context.WithTimeout(caller, cmp.Or(a.Timeout, attemptTimeout))
	defer cancel()
	request, err := newRequest(ctx, slug)
	if err != nil || request.URL.Host == "" {
		return Profile{}, &Unavailable{Reason: Settings, Operator: true}
	}
	request.Header.Set("Accept", "application/json")
	response, err := a.clientWithoutRedirects().Do(request)
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
	return decode(body, slug)
}

func (a API) clientWithoutRedirects() *http.Client {
	client := *cmp.Or(a.HTTP, http.DefaultClient)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

var errKey = errors.New("profile: the key is unusable")

// newGetRequest returns a GET request for a path and query, with key as the value of header.
func (a API) newGetRequest(ctx context.Context, target, header, key string) (*http.Request, error) {
	if strings.ContainsAny(key, "\r\n\x00") {
		return nil, errKey
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(a.BaseURL, "/")+target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set(header, key)
	return request, nil
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
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isWorthRetry reports whether a provider may answer soon.
func (e *Unavailable) isWorthRetry() bool { return e.Retryable && e.RetryAfter <= maxRetryWait }
