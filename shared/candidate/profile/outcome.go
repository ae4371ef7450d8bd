package profile

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errorForStatus maps a status to its error; nil means that the body holds the answer.
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
	case status >= 400 && status < 500: // our request, key or credit: only a person can change that
		return &Unavailable{Reason: Status, StatusCode: status, Operator: true}
	}
	return &Unavailable{Reason: Status, StatusCode: status, Retryable: true}
}

// addErrorDetails adds what the response says beyond its status.
func addErrorDetails(err error, response *http.Response) error {
	var down *Unavailable
	if errors.As(err, &down) {
		down.RetryAfter = parseRetryAfter(response.Header)
		body, _ := io.ReadAll(io.LimitReader(response.Body, errorLimit)) // half an explanation is none, not another failure
		down.ErrorType = parseErrorType(body)
	}
	return err
}

// errorTypes are the provider's words that may stand in a log. Any other text
// might quote the request.
var errorTypes = []string{"invalid_request_error", "authentication_error", "payment_required", "not_found", "rate_limit_error", "api_error"}

// parseErrorType reads error.type, which is a string or an array of strings.
func parseErrorType(body []byte) string {
	var answer struct {
		Error struct {
			Type json.RawMessage `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	var one string
	var many []string
	if json.Unmarshal(answer.Error.Type, &one) == nil {
		many = []string{one}
	} else if json.Unmarshal(answer.Error.Type, &many) != nil {
		return ""
	}
	for _, name := range many {
		if slices.Contains(errorTypes, name) {
			return name
		}
	}
	return ""
}

// parseRetryAfter reads how long the provider wants to be left alone: Retry-After in
// seconds, or x-ratelimit-reset as a time stamp or an epoch second. The latter is
// compared with the response's own Date, so that our clock does not matter. At most
// a day.
func parseRetryAfter(header http.Header) time.Duration {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		return time.Duration(min(max(seconds, 0), 86400)) * time.Second
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0
	}
	text := strings.Trim(header.Get("X-Ratelimit-Reset"), `"`)
	reset, err := time.Parse(time.RFC3339, text)
	if err != nil {
		epoch, err := strconv.ParseInt(text, 10, 64)
		if err != nil || epoch < 0 || epoch > 1<<40 { // beyond that is no time stamp, and time.Unix wraps around
			return 0
		}
		reset = time.Unix(epoch, 0)
	}
	return min(max(reset.Sub(now), 0), 24*time.Hour)
}

// transportError says why no complete answer came. The transport's own text is dropped: it
// quotes the URL and bytes of the answer.
func transportError(caller context.Context, err error) error {
	if caller.Err() != nil {
		return canceledError(caller.Err())
	}
	var late net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late) && late.Timeout() {
		return &Unavailable{Reason: TimedOut, Retryable: true, cause: context.DeadlineExceeded}
	}
	down := &Unavailable{Reason: Connection, Retryable: true}
	var number syscall.Errno
	if errors.As(err, &number) {
		down.cause = number
	}
	return down
}

func canceledError(cause error) error {
	return &Unavailable{Reason: Canceled, Retryable: true, cause: cause}
}
