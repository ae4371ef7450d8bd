// Package fault has the error type of everything that serves a caller: an
// [Error] has a kind, a public message and a cause that only the log shows. Any
// other error counts as internal and gets a generic message, so its text cannot
// leak.
//
// It knows which status and error.type a kind has (see [Kinds]). It does not
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
	Kind *Kind
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
func New(kind *Kind, code contract.Code, message string) *Error {
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
	return err != nil && As(err).Kind.Status >= http.StatusInternalServerError
}

// IsMissing reports whether an error is one of kind [NotFound].
func IsMissing(err error) bool { return err != nil && As(err).Kind == NotFound }

// As returns the *Error in err's chain, or an [Internal] one with err as its
// cause if there is none or it has no kind. It never returns nil.
func As(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind != nil {
		return e
	}
	return &Error{Kind: Internal, Message: "An internal error occurred. Retry with exponential backoff.", Cause: err}
}

// Kind is a kind of error: what callers see of it (contract, Errors).
type Kind struct {
	Status int
	// Type is error.type, which clients branch on.
	Type string
	// Meaning is a sentence; Retry says whether and when to send the request again.
	Meaning, Retry string
}

// The kinds. Every error body of the API and its reference are made from them.
var (
	Invalid         = &Kind{400, "invalid_request_error", "The body or a parameter is malformed or invalid; details names the fields.", "no"}
	Unauthenticated = &Kind{401, "authentication_error", "The key is missing, invalid, expired or revoked.", "no"}
	Forbidden       = &Kind{403, "permission_error", "The key lacks a scope, or the key or account may not do this.", "no"}
	NotFound        = &Kind{404, "not_found", "The route or resource does not exist, or the resource belongs to another account.", "no"}
	Conflict        = &Kind{
		409, "idempotency_error", "The Idempotency-Key conflicts with an earlier request.", "after the first attempt has finished",
	}
	TooMany = &Kind{429, "rate_limit_error", "A rate limit is exceeded.", "after Retry-After seconds"}
	// Internal is the kind of every error that is not an [Error].
	Internal = &Kind{
		500, "api_error", "An internal error occurred. Treat other 5xx responses the same way.",
		"with back-off, with the same Idempotency-Key",
	}
	// Unavailable means that something that the request needs does not respond; the error has a time to wait.
	Unavailable = &Kind{503, "api_error", "Part of the service is temporarily unavailable.", "after Retry-After seconds"}
)

// Kinds holds every kind, by status.
var Kinds = []*Kind{Invalid, Unauthenticated, Forbidden, NotFound, Conflict, TooMany, Internal, Unavailable}

// Wrap puts the name of an operation, with the kinds of ids that it takes but not their values,
// before an internal error. Methods of stores defer it, so that the cause in the log reads from
// the operation down to the table:
//
//	func (s *Store) Agency(ctx context.Context, id string) (_ Agency, err error) {
//		defer fault.Wrap(&err, "account.Agency(id)")
//
// It leaves nil and an [Error], which has its caller's message, as they are. [errors.Is] and
// [errors.As] see through it.
func Wrap(err *error, operation string) {
	_, public := errors.AsType[*Error](*err)
	if *err != nil && !public {
		*err = fmt.Errorf("%s: %w", operation, *err)
	}
}
