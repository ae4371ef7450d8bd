package profile

import (
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

// lookup is one look-up at a provider over HTTP: what the adapters have in common.
type lookup struct {
	http    *http.Client
	timeout time.Duration
	wait    func(ctx context.Context, pause time.Duration) error
	request func(ctx context.Context) (*http.Request, error)
	decode  func(body []byte) (Profile, error)
}

func (l lookup) runAttempts(ctx context.Context) (Profile, error) {
	for attempt := 1; ; attempt++ {
		found, err := l.attemptOnce(ctx)
		var down *Unavailable
		mayAnswer := errors.As(err, &down) && down.isWorthRetry()
		if !mayAnswer || attempt == maxAttempts {
			return found, err
		}
		if err := waitFor(ctx, l.wait, max(retryWait, down.RetryAfter)); err != nil {
			return Profile{}, canceledError(err)
		}
	}
}

func (l lookup) attemptOnce(caller context.Context) (Profile, error) {
	limit := l.timeout
	if limit == 0 {
		limit = attemptTimeout
	}
	ctx, cancel := context.WithTimeout(caller, limit)
	defer cancel()
	request, err := l.request(ctx)
	if err != nil || request.URL.Host == "" {
		return Profile{}, &Unavailable{Reason: Settings, Operator: true}
	}
	request.Header.Set("Accept", "application/json")
	response, err := l.clientWithoutRedirects().Do(request)
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
	return l.decode(body)
}

func (l lookup) clientWithoutRedirects() *http.Client {
	client := http.Client{}
	if l.http != nil {
		client = *l.http
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

var errKey = errors.New("profile: the key is unusable")

// newGetRequest returns a GET request with key as the value of header.
func newGetRequest(ctx context.Context, target, header, key string) (*http.Request, error) {
	if strings.ContainsAny(key, "\r\n\x00") {
		return nil, errKey
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set(header, key)
	return request, nil
}

// waitFor waits with the given function, or with a timer if it is nil.
func waitFor(ctx context.Context, wait func(context.Context, time.Duration) error, length time.Duration) error {
	if wait != nil {
		return wait(ctx, length)
	}
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
