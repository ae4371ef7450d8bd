package profile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
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
		if down, ok := errors.AsType[*Unavailable](err); ok {
			down.RetryAfter = parseRetryAfter(response.Header)
			body, _ := io.ReadAll(io.LimitReader(response.Body, errorLimit)) // a truncated body only loses the error type
			down.ErrorType = parseErrorType(body)
		}
		return Profile{}, err
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
	var err error
	if wait != nil {
		err = wait(ctx, length)
	} else {
		select {
		case <-time.After(length):
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		return &Unavailable{Reason: Canceled, Retryable: true, cause: err}
	}
	return nil
}

func errorForStatus(status int) error {
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone, status == 453:
		return ErrNotFound
	case status >= 300 && status < 400:
		return &Unavailable{Reason: Redirected, StatusCode: status, Retryable: true}
	}
	isTemporary := status == http.StatusRequestTimeout || status == http.StatusTooManyRequests
	isOurs := status/100 == 4 && !isTemporary // our request, key or credit: only an operator can change that
	return &Unavailable{Reason: Status, StatusCode: status, Retryable: !isOurs, Operator: isOurs}
}

// errorTypes are the provider's error types that may be logged. Any other text might quote the request.
var errorTypes = []string{"invalid_request_error", "authentication_error", "payment_required", "not_found", "rate_limit_error", "api_error"}

// parseErrorType returns the one of errorTypes that error.type names, a string or an array of strings.
func parseErrorType(body []byte) string {
	var answer struct {
		Error struct {
			Type json.RawMessage `json:"type"`
		} `json:"error"`
	}
	_ = json.Unmarshal(body, &answer) // without a type it has none
	for _, name := range errorTypes {
		if bytes.Contains(answer.Error.Type, []byte(strconv.Quote(name))) {
			return name
		}
	}
	return ""
}

// parseRetryAfter returns how long the provider asks to wait, at most a day:
// Retry-After in seconds or as a date, or x-ratelimit-reset, a timestamp or epoch seconds. Times are compared with
// the response's own Date, so that the local clock does not matter.
func parseRetryAfter(header http.Header) time.Duration {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		return time.Duration(min(max(seconds, 0), 86400)) * time.Second
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0
	}
	until, err := http.ParseTime(header.Get("Retry-After"))
	reset := strings.Trim(header.Get("X-Ratelimit-Reset"), `"`)
	if err != nil {
		until, err = time.Parse(time.RFC3339, reset)
	}
	if err != nil {
		seconds, err := strconv.ParseUint(reset, 10, 40) // time.Unix overflows beyond
		if err != nil {
			return 0
		}
		until = time.Unix(int64(seconds), 0)
	}
	return min(max(until.Sub(now), 0), 24*time.Hour)
}

// transportError returns the error for a response that did not arrive completely.
// It drops the transport's own text, which quotes the URL and bytes of the response.
func transportError(caller context.Context, err error) error {
	if caller.Err() != nil {
		return &Unavailable{Reason: Canceled, Retryable: true, cause: caller.Err()}
	}
	late, isNet := errors.AsType[net.Error](err)
	if errors.Is(err, context.DeadlineExceeded) || isNet && late.Timeout() {
		return &Unavailable{Reason: TimedOut, Retryable: true, cause: context.DeadlineExceeded}
	}
	down := &Unavailable{Reason: Connection, Retryable: true}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		down.cause = number
	}
	return down
}
