package profile

import (
	"bytes"
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
)

// errorForStatus returns the error for an HTTP status, or nil if the body holds the answer.
func errorForStatus(status int) error {
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone, status == 453:
		return ErrNotFound
	case status >= 300 && status < 400:
		return &Unavailable{Reason: Redirected, StatusCode: status, Retryable: true}
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests:
		return &Unavailable{Reason: Status, StatusCode: status, Retryable: true}
	case status >= 400 && status < 500: // our request, key or credit: only an operator can change that
		return &Unavailable{Reason: Status, StatusCode: status, Operator: true}
	}
	return &Unavailable{Reason: Status, StatusCode: status, Retryable: true}
}

// addErrorDetails adds to an *Unavailable what the response says beyond its status.
func addErrorDetails(err error, response *http.Response) error {
	if down, ok := errors.AsType[*Unavailable](err); ok {
		down.RetryAfter = parseRetryAfter(response.Header)
		body, _ := io.ReadAll(io.LimitReader(response.Body, errorLimit)) // a truncated body only loses the error type
		down.ErrorType = parseErrorType(body)
	}
	return err
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
// Retry-After in seconds or as a date, or x-ratelimit-reset. Times are compared with
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
	if err != nil {
		until, err = parseReset(header.Get("X-Ratelimit-Reset"))
	}
	if err != nil {
		return 0
	}
	return min(max(until.Sub(now), 0), 24*time.Hour)
}

// parseReset parses x-ratelimit-reset, a timestamp or epoch seconds.
func parseReset(text string) (time.Time, error) {
	text = strings.Trim(text, `"`)
	if reset, err := time.Parse(time.RFC3339, text); err == nil {
		return reset, nil
	}
	epoch, err := strconv.ParseUint(text, 10, 40) // time.Unix overflows beyond
	return time.Unix(int64(epoch), 0), err
}

// transportError returns the error for a response that did not arrive completely.
// It drops the transport's own text, which quotes the URL and bytes of the response.
func transportError(caller context.Context, err error) error {
	if caller.Err() != nil {
		return canceledError(caller.Err())
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

func canceledError(cause error) error {
	return &Unavailable{Reason: Canceled, Retryable: true, cause: cause}
}
