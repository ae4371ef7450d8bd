package ingest

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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

// newProviders are the one for live keys and the one for test keys. The latter asks
// nobody unless PROFILE_SANDBOX_URL names a stand-in that speaks the provider's
// wire format.
func newProviders(o *cloud.Opener, cache profile.Store) (live, test profile.Provider) {
	live = profile.Cached(newProvider(o, o.Getenv(topology.SettingProfileURL)), cache, profileTTL, o.Now)
	sandbox := profile.Sandbox{}
	if url := o.Getenv("PROFILE_SANDBOX_URL"); url != "" {
		sandbox.Fallback = newProvider(o, url)
	}
	return live, sandbox
}

// newProvider speaks the wire format that PROFILE_PROVIDER names, at an address.
func newProvider(o *cloud.Opener, url string) profile.Provider {
	key := o.Getenv(topology.SettingProfileKey)
	switch name := o.Getenv(topology.SettingProfileProvider); name {
	case "", "peopledatalabs":
		return &profile.PeopleDataLabs{BaseURL: url, APIKey: key}
	case "enrichlayer":
		return &profile.EnrichLayer{BaseURL: url, APIKey: key}
	default:
		o.Note(fmt.Errorf("%s must be peopledatalabs or enrichlayer, not %q", topology.SettingProfileProvider, name))
		return nil
	}
}
