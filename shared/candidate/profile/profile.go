// Package profile verifies that a LinkedIn profile exists and shows work
// experience, by asking a data provider.
//
// A [Provider] looks up one profile. [PeopleDataLabs] and [EnrichLayer] do so over
// HTTP, [Cached] wraps a provider with billed look-ups, [Breaker] keeps all workers
// within a provider's limits and away from one that is down, and [Sandbox] serves API
// keys of environment test. [ByEnvironment] chooses between the last and the others.
//
// A look-up has four outcomes, to which every provider maps its responses: a
// [Profile], [ErrNotFound], [ErrNoExperience], or *[Unavailable]. The first three
// are facts about the person and final; the last is about the provider and says
// whether asking again can help and whether an operator must act.
//
// The package does not know LinkedIn URLs (package identity makes the slug),
// submissions or queues. Nothing in an error or its text comes from a person or
// from the provider's response, so errors may be logged as they are.
package profile

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Provider looks a person up by LinkedIn profile.
type Provider interface {
	// Profile returns the profile linkedin.com/in/<slug>, which shows at least one
	// job. The slug is canonical: percent-decoded, NFC, lower case, without
	// slashes. The errors are:
	//
	//   - ErrNotFound: no profile has this slug, or the provider only offers another
	//     person's.
	//   - ErrNoExperience: the profile exists and shows no work experience.
	//   - *Unavailable: the provider gave no usable answer, or ctx ended first; then
	//     it wraps ctx's error.
	Profile(ctx context.Context, slug string) (Profile, error)
}

// Profile is what is kept of a verified LinkedIn profile. Empty text means unknown.
type Profile struct {
	Title    string `dynamo:"title,omitempty"`    // current job title
	Company  string `dynamo:"company,omitempty"`  // current employer
	Location string `dynamo:"location,omitempty"` // free text, mostly "city, region, country"
}

// The outcomes that are facts about the person. Asking again soon returns the same.
var (
	// ErrNotFound is published as linkedin_profile_not_found.
	ErrNotFound = errors.New("profile: not found")
	// ErrNoExperience is published as linkedin_no_experience.
	ErrNoExperience = errors.New("profile: no work experience")
)

// Reason says why there is no answer. The list is closed, so that a log line or a metric can carry it.
type Reason string

// The reasons of Unavailable.
const (
	Canceled   Reason = "canceled"   // the caller's context ended
	TimedOut   Reason = "timed out"  // the attempt's own limit passed
	Connection Reason = "connection" // no complete HTTP answer
	Status     Reason = "status"     // an HTTP status other than an answer's, which is in StatusCode
	Redirected Reason = "redirected" // never followed: it would carry the key elsewhere
	TooLarge   Reason = "too large"  // the response exceeds the size limit
	Malformed  Reason = "malformed"  // the response cannot be decoded
	Settings   Reason = "settings"   // base URL or key make no valid request
	Simulated  Reason = "simulated"  // the sandbox was asked for it
	Paused     Reason = "paused"     // not asked: the breaker is open, or its probe is under way
	Throttled  Reason = "throttled"  // not asked: our own limits for the provider are reached
)

// Unavailable says that the provider gave no usable answer. If that lasts until the
// submission's time is nearly over, it is published as linkedin_verification_unavailable.
type Unavailable struct {
	Reason     Reason
	StatusCode int           // the provider's HTTP status, 0 without one
	ErrorType  string        // the provider's own error type, from a closed list, or empty
	Retryable  bool          // the same question may be answered later
	Operator   bool          // an operator must act (key, credit, request shape): raise an alarm
	RetryAfter time.Duration // how long the provider asks to wait, 0 without one
	cause      error         // a context error or a system error number, nothing else
}

// Error describes the outcome without naming the person or the key.
func (e *Unavailable) Error() string {
	text := "profile: provider unavailable: " + string(e.Reason)
	if e.StatusCode != 0 {
		text += fmt.Sprintf(" %d", e.StatusCode)
	}
	if e.ErrorType != "" {
		text += " " + e.ErrorType
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// IsOutage reports whether the same look-up may succeed once the provider serves again: it is
// down, slow or throttled, or an operator must renew the key or the credit. A refusal of this
// one request is not an outage, nor is what the sandbox simulates.
func (e *Unavailable) IsOutage() bool {
	switch e.StatusCode {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden:
		return true
	}
	return e.Retryable || e.Reason == Settings
}

// Unwrap returns the context's error or the system's error number behind the failure, or nil.
func (e *Unavailable) Unwrap() error { return e.cause }
