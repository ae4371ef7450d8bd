// Package fault is the one way to fail: an error has a kind, a public message
// and, unseen by callers, a cause for the log. Anything that is no *Error is an
// internal error with a generic message, so an inner error cannot leak.
//
// It knows no HTTP: the gateway maps a kind to status, type and headers.
package fault

import (
	"errors"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Kind is the category of an error.
type Kind int

// The kinds, in the order of the contract's table of errors.
const (
	Internal        Kind = iota // a fault of ours; the message stays generic
	Invalid                     // the request is malformed or invalid
	Unauthenticated             // the key is missing or unusable
	Forbidden                   // the key or account may not do this
	NotFound                    // unknown, or not the caller's
	Conflict                    // an Idempotency-Key conflict
	TooMany                     // a rate limit
)

// Error is a failure with what its caller may know.
type Error struct {
	Kind Kind
	// Code is one of the published codes, or none.
	Code contract.Code
	// Message tells the caller what to do.
	Message string
	// Fields maps a top-level field or parameter to its problems; Form holds
	// those of the whole request. Only for Invalid.
	Fields map[string][]string
	Form   []string
	// RetryAfter is how long to wait; zero means no advice.
	RetryAfter time.Duration
	// Cause is for the log alone.
	Cause error
}

// Error is for the log: the public message and the cause.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return fmt.Sprintf("%s: %v", e.Message, e.Cause)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New makes an error of a kind with a code and a public message.
func New(kind Kind, code contract.Code, message string) *Error {
	return &Error{Kind: kind, Code: code, Message: message}
}

// Field makes an Invalid error about one top-level field.
func Field(code contract.Code, field, message string) *Error {
	return Fields(code, map[string][]string{field: {message}})
}

// Fields makes an Invalid error about several top-level fields.
func Fields(code contract.Code, problems map[string][]string) *Error {
	return &Error{Kind: Invalid, Code: code, Message: "The request is invalid; see details.", Fields: problems}
}

// Missing is the one answer to what is unknown, inaccessible or another
// tenant's: byte for byte the same, so they cannot be told apart.
func Missing() *Error {
	return New(NotFound, contract.NoCode, "No such resource. Check the path and the id; it must belong to the key's account.")
}

// Because attaches a cause for the log and returns e.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// As finds the *Error in err, or makes an Internal one around it.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Kind: Internal, Message: "Something went wrong on our side. Retry with back-off.", Cause: err}
}
