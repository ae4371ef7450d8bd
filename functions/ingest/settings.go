package ingest

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/profile"
)

// settings are read from the environment.
type settings struct {
	// leaseGrace (INGEST_LEASE_GRACE) is how long a lease outlives the function's
	// time-out.
	leaseGrace time.Duration
	// retryDelay (INGEST_RETRY_DELAY) is the wait after a first failed attempt; it
	// doubles with each one.
	retryDelay time.Duration
	// verifyAttempts (VERIFY_ATTEMPTS) is how many of an item's attempts may fail
	// for want of the provider before that is final.
	verifyAttempts int
}

func settingsFrom(o *cloud.Opener) settings {
	return settings{
		leaseGrace:     o.Duration("INGEST_LEASE_GRACE", 30*time.Second),
		retryDelay:     o.Duration("INGEST_RETRY_DELAY", time.Minute),
		verifyAttempts: o.Int("VERIFY_ATTEMPTS", 3),
	}
}

// profileTTL is how long an answer of the provider is kept: a repeated look-up
// is billed.
const profileTTL = 7 * 24 * time.Hour

// providers speak the wire format of People Data Labs, or, where PROFILE_PROVIDER
// is enrichlayer, of Enrich Layer. They are the one for live keys and the one for test keys. The latter asks
// nobody unless PROFILE_SANDBOX_URL names a stand-in that speaks the provider's
// wire format.
func providers(h cloud.Host, cache profile.Store) (live, test profile.Provider) {
	at := func(url string) profile.Provider {
		if h.Getenv("PROFILE_PROVIDER") == "enrichlayer" {
			return &profile.EnrichLayer{BaseURL: url, APIKey: h.Getenv("PROFILE_API_KEY")}
		}
		return &profile.PeopleDataLabs{BaseURL: url, APIKey: h.Getenv("PROFILE_API_KEY")}
	}
	live = profile.Cached(at(h.Getenv("PROFILE_URL")), cache, profileTTL, h.Now)
	sandbox := profile.Sandbox{}
	if url := h.Getenv("PROFILE_SANDBOX_URL"); url != "" {
		sandbox.Others = at(url)
	}
	return live, sandbox
}
