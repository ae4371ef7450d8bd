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
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
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

// RefusalTTL bounds how long [ErrNotFound] and [ErrNoExperience] are stored: people correct a URL, or
// publish or complete a profile, then submit again.
const RefusalTTL = time.Hour

// Cached is a provider that stores the outcomes of another one, because a repeated
// look-up is billed again: profiles for TTL, [ErrNotFound] and [ErrNoExperience] for
// TTL or [RefusalTTL], whichever is shorter, *[Unavailable] never. Errors of the
// table are ignored: they cost money, not a candidate. Do not wrap a [Sandbox].
type Cached struct {
	Provider Provider
	Table    dynamo.Table // topology.Network; DynamoDB's time to live deletes the items
	TTL      time.Duration
	Now      func() time.Time
}

// cachedItem is the stored form of an outcome. Its time to live is checked, too, because DynamoDB deletes late.
type cachedItem struct {
	ID      string  `dynamo:"pk"`
	Kind    string  `dynamo:"sk"`
	Outcome string  `dynamo:"outcome"`
	Profile Profile `dynamo:"profile,omitempty"`
	TTL     int64   `dynamo:"ttl"`
}

// outcomes holds the errors of the outcomes that are stored, by names that must not change.
var outcomes = map[string]error{"verified": nil, "not_found": ErrNotFound, "no_experience": ErrNoExperience}

// Profile implements [Provider] by what is stored, or else by asking.
func (c Cached) Profile(ctx context.Context, slug string) (Profile, error) {
	// The key is made from the identity's hash, so that an erasure finds the item.
	pk, sk := itemkey.CachedProfile.Key(identity.Hash(identity.LinkedInFromSlug(slug)))
	var item cachedItem
	err := c.Table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &item)
	if stored, ok := outcomes[item.Outcome]; ok && err == nil && c.Now().Unix() < item.TTL {
		return item.Profile, stored
	}
	found, outcome := c.Provider.Profile(ctx, slug)
	ttl := c.TTL
	if outcome != nil {
		ttl = min(ttl, RefusalTTL)
	}
	for name, err := range outcomes {
		if errors.Is(outcome, err) {
			_ = c.Table.Put(cachedItem{pk, sk, name, found, c.Now().Add(ttl).Unix()}).Run(ctx)
		}
	}
	return found, outcome
}

// Forget deletes from the network table the cached outcome under the hash of a canonical LinkedIn URL.
func Forget(ctx context.Context, table dynamo.Table, hash string) (err error) {
	defer fault.Wrap(&err, "profile.Forget(hash)")

	pk, sk := itemkey.CachedProfile.Key(hash)
	return table.Delete(topology.PK, pk).Range(topology.SK, sk).Run(ctx)
}

// SandboxEnvironment is the environment of API keys that the Sandbox serves.
const SandboxEnvironment = "test"

// The slugs with a fixed outcome, like a payment provider's test cards (README,
// Testing every outcome). Every other slug verifies.
const (
	SlugNotFound     = "sandbox-not-found"     // ErrNotFound
	SlugNoExperience = "sandbox-no-experience" // ErrNoExperience
	SlugUnavailable  = "sandbox-unavailable"   // *Unavailable, not retryable, as after the last retry
	SlugSlow         = "sandbox-slow"          // verifies after SlowAnswer
	SlugCrash        = "sandbox-crash"         // panics: the worker dies on each attempt
)

// SlowAnswer is how long SlugSlow takes.
const SlowAnswer = 8 * time.Second

// Sandbox is the provider for API keys of environment test, in every deployment: it makes no requests, costs nothing and
// lets an integrator see each outcome. The zero value is ready for use.
type Sandbox struct {
	// Wait pauses for SlugSlow and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error
	// Fallback serves every slug without a fixed outcome; nil means a profile of [Invent].
	Fallback Provider
}

// Profile implements Provider. It panics for SlugCrash.
func (s Sandbox) Profile(ctx context.Context, slug string) (Profile, error) {
	switch slug {
	case SlugNotFound:
		return Profile{}, ErrNotFound
	case SlugNoExperience:
		return Profile{}, ErrNoExperience
	case SlugUnavailable:
		return Profile{}, &Unavailable{Reason: Simulated}
	case SlugCrash:
		panic("profile: the sandbox was asked to crash its worker")
	case SlugSlow:
		if err := waitFor(ctx, s.Wait, SlowAnswer); err != nil {
			return Profile{}, err
		}
	}
	if s.Fallback != nil && slug != SlugSlow {
		return s.Fallback.Profile(ctx, slug)
	}
	return Invent(slug), nil
}

// ByEnvironment returns the provider for submissions made with a key of the given
// environment: sandbox for [SandboxEnvironment], live for every other, so that an
// unknown environment never has an invented person verified.
func ByEnvironment(environment string, live, sandbox Provider) Provider {
	if environment == SandboxEnvironment {
		return sandbox
	}
	return live
}

var (
	inventedTitles = []string{
		"Software Engineer", "Product Designer", "Data Analyst", "Account Executive", "Site Reliability Engineer", "Product Manager",
	}
	inventedCompanies = []string{"Example Harbour", "Example Orchard", "Example Lantern", "Example Meadow", "Example Quarry", "Example Beacon"}
	inventedPlaces    = []string{
		"Berlin, Germany", "Lisbon, Portugal", "Austin, Texas, United States", "Toronto, Ontario, Canada", "Leeds, United Kingdom",
	}
)

// Invent returns an invented profile, which depends on the slug alone.
func Invent(slug string) Profile {
	dice := sha256.Sum256([]byte(slug))
	pick := func(n int, from []string) string { return from[int(dice[n])%len(from)] }
	return Profile{Title: pick(2, inventedTitles), Company: pick(3, inventedCompanies), Location: pick(4, inventedPlaces)}
}
