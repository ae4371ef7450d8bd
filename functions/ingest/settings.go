package ingest

import (
	"fmt"
	"net/url"
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
	// doubles with each further one. It is also the first wait of a parked item and
	// the first pause of the breaker.
	retryDelay time.Duration
}

func settingsFrom(o *cloud.Opener) settings {
	return settings{
		leaseGrace: o.Duration("INGEST_LEASE_GRACE", 30*time.Second),
		retryDelay: o.Duration("INGEST_RETRY_DELAY", time.Minute),
	}
}

// profileTTL is how long a provider's answer is cached: a repeated look-up is billed.
const profileTTL = 7 * 24 * time.Hour

// newBreaker returns the provider for live keys, without its cache.
func newBreaker(o *cloud.Opener, table profile.TableStore, pause time.Duration) *profile.Breaker {
	address := o.Getenv(topology.SettingProfileURL)
	host := "none" // its look-ups fail with reason settings
	if parsed, err := url.Parse(address); err == nil && parsed.Host != "" {
		host = parsed.Host
	}
	return &profile.Breaker{
		Provider: newProvider(o, address), Store: table, Endpoint: host, Now: o.Now, NewID: o.NewID, Wait: o.Wait,
		Limits: profile.Limits{
			PerMinute:   max(1, o.Int(topology.SettingProfileRate, topology.DefaultProfileRate)),
			Concurrency: max(1, o.Int(topology.SettingProfileConcurrency, topology.IngestQueue.MaxConcurrency)),
			Pause:       pause,
		},
	}
}

// newSandbox returns the provider for test keys. It makes no requests unless
// PROFILE_SANDBOX_URL names a stand-in that speaks the provider's wire format.
func newSandbox(o *cloud.Opener) profile.Provider {
	sandbox := profile.Sandbox{Wait: o.Wait}
	if address := o.Getenv("PROFILE_SANDBOX_URL"); address != "" {
		sandbox.Fallback = newProvider(o, address)
	}
	return sandbox
}

// newProvider returns the provider at address that speaks the wire format named by PROFILE_PROVIDER.
func newProvider(o *cloud.Opener, address string) profile.Provider {
	key := o.Getenv(topology.SettingProfileKey)
	switch name := o.Getenv(topology.SettingProfileProvider); name {
	case "", "peopledatalabs":
		return &profile.PeopleDataLabs{BaseURL: address, APIKey: key, Wait: o.Wait}
	case "enrichlayer":
		return &profile.EnrichLayer{BaseURL: address, APIKey: key, Wait: o.Wait}
	default:
		o.Note(fmt.Errorf("%s must be peopledatalabs or enrichlayer, not %q", topology.SettingProfileProvider, name))
		return nil
	}
}
