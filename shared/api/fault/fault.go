// Package fault has the error type of everything that serves a caller: an
// [Error] has a kind, a public message and a cause that only the log shows. Any
// other error counts as internal and gets a generic message, so its text cannot
// leak.
//
// It knows which status and error.type a kind has (see [Categories]). It does not
// know requests, answers or headers; those are package gateway's.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Error is a failure and what its caller may know of it.
type Error struct {
	Kind Kind
	// Code is a published code, or [contract.NoCode].
	Code contract.Code
	// Message says what the caller can do.
	Message string
	// Fields maps a top-level field or parameter to its problems; Form holds
	// those of the whole request. Only for [Invalid].
	Fields map[string][]string
	Form   []string
	// RetryAfter is how long to wait; zero means no advice.
	RetryAfter time.Duration
	// Cause is for the log only.
	Cause error
}

// Error returns the public message and the cause; it is for the log only.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return fmt.Sprintf("%s: %v", e.Message, e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New returns an error of a kind with a code and a public message.
func New(kind Kind, code contract.Code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Field returns an [Invalid] error about one top-level field.
func Field(code contract.Code, field, message string) *Error {
	return Fields(code, map[string][]string{field: {message}})
}

// Fields returns an [Invalid] error about several top-level fields, each with
// its problems.
func Fields(code contract.Code, problems map[string][]string) *Error {
	return &Error{Kind: Invalid, Code: code, Message: "The request is invalid; see details.", Fields: problems}
}

// Missing returns the one [NotFound] error for a resource that is unknown, inaccessible
// or another tenant's. It is byte for byte the same, so that callers cannot distinguish
// them.
func Missing() *Error {
	return New(NotFound, contract.NoCode,
		"No such resource. Check the path, which begins with /api/external/v1, and the id; it must belong to the key's account.")
}

// Refusal returns the one [Unavailable] error: the caller waits before it retries, and the cause is
// for the log.
func Refusal(wait time.Duration, cause error) *Error {
	e := New(Unavailable, contract.NoCode, "Part of the service is temporarily unavailable. Retry after the seconds of Retry-After.")
	e.RetryAfter = wait
	return e.Because(cause)
}

// Because attaches a cause for the log and returns e.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// IsFailure reports whether an error is a failure of the service, which may have executed part of the
// request, and not a refusal of the request.
func IsFailure(err error) bool {
	return err != nil && As(err).Kind.Category().Status >= http.StatusInternalServerError
}

// IsMissing reports whether an error is one of kind [NotFound].
func IsMissing(err error) bool { return err != nil && As(err).Kind == NotFound }

// As returns the *Error in err's chain, or an [Internal] one with err as its
// cause. It never returns nil.
func As(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Kind: Internal, Message: "An internal error occurred. Retry with back-off.", Cause: err}
}
