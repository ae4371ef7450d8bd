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
	// leaseGrace (INGEST_LEASE_GRACE) is how long a lease outlives the function's time-out.
	leaseGrace time.Duration
	// retryDelay (INGEST_RETRY_DELAY) is the wait after the first failed attempt; it
	// doubles with each further one.
	retryDelay time.Duration
	// verifyAttempts (VERIFY_ATTEMPTS) is the attempt after which an unavailable
	// provider fails the item.
	verifyAttempts int
}

func settingsFrom(o *cloud.Opener) settings {
	return settings{
		leaseGrace:     o.Duration("INGEST_LEASE_GRACE", 30*time.Second),
		retryDelay:     o.Duration("INGEST_RETRY_DELAY", time.Minute),
		verifyAttempts: o.Int("VERIFY_ATTEMPTS", 3),
	}
}

// profileTTL is how long a provider's answer is cached: a repeated look-up is billed.
const profileTTL = 7 * 24 * time.Hour

// newProviders returns the provider for live keys and the one for test keys. The
// latter makes no requests unless PROFILE_SANDBOX_URL names a stand-in that speaks
// the provider's wire format.
func newProviders(o *cloud.Opener, cache profile.Store) (live, test profile.Provider) {
	live = profile.Cached(newProvider(o, o.Getenv(topology.SettingProfileURL)), cache, profileTTL, o.Now)
	sandbox := profile.Sandbox{}
	if url := o.Getenv("PROFILE_SANDBOX_URL"); url != "" {
		sandbox.Fallback = newProvider(o, url)
	}
	return live, sandbox
}

// newProvider returns the provider at url that speaks the wire format named by PROFILE_PROVIDER.
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
