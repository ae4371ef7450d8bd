package profile

import (
	"context"
	"crypto/sha256"
	"time"
)

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
