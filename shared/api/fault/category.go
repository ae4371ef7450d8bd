package fault

import (
	"net/http"
	"slices"
)

// Kind classifies an error.
type Kind int

// The kinds.
const (
	Internal        Kind = iota // an internal error; the message stays generic
	Invalid                     // the request is malformed or invalid
	Unauthenticated             // the key is missing or unusable
	Forbidden                   // the key or account may not do this
	NotFound                    // unknown, or not the caller's
	Conflict                    // an Idempotency-Key conflict
	TooMany                     // a rate limit
	Unavailable                 // something that the request needs does not respond; it has a time to wait
)

// Category is what callers see of a kind of error (contract, Errors).
type Category struct {
	Kind   Kind
	Status int
	// Type is error.type, which clients branch on.
	Type string
	// Meaning is a sentence; Retry says whether and when to send the request again.
	Meaning, Retry string
}

// Categories has one row for each kind, by status. Every error body of the API
// and its reference are made from it.
var Categories = []Category{
	{Invalid, http.StatusBadRequest, "invalid_request_error", "The body or a parameter is malformed or invalid; details names the fields.", "no"},
	{Unauthenticated, http.StatusUnauthorized, "authentication_error", "The key is missing, invalid, expired or revoked.", "no"},
	{Forbidden, http.StatusForbidden, "permission_error", "The key lacks a scope, or the key or account may not do this.", "no"},
	{NotFound, http.StatusNotFound, "not_found", "The route or resource does not exist, or the resource belongs to another account.", "no"},
	{Conflict, http.StatusConflict, "idempotency_error", "The Idempotency-Key conflicts with an earlier request.", "after the first attempt has finished"},
	{TooMany, http.StatusTooManyRequests, "rate_limit_error", "A rate limit is exceeded.", "after Retry-After seconds"},
	{Internal, http.StatusInternalServerError, "api_error", "An internal error occurred. Treat other 5xx responses the same way.", "with back-off, with the same Idempotency-Key"},
	{Unavailable, http.StatusServiceUnavailable, "api_error", "Part of the service is temporarily unavailable.", "after Retry-After seconds"},
}

// Category returns the kind's row of [Categories]; a number that is not a kind has
// that of [Internal].
func (k Kind) Category() Category {
	i := slices.IndexFunc(Categories, func(c Category) bool { return c.Kind == k })
	if i < 0 {
		return Internal.Category()
	}
	return Categories[i]
}
