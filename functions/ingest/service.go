// Package ingest is the worker that runs accepted submissions: it reads the
// resume, checks that it is the candidate's, verifies the profile and commits the candidate to
// the talent network together with the outcome of the item.
//
// A queue feeds it, one message per invocation. A message is only a hint: the item
// that it names is claimed by a conditional write. An attempt ends in one of four
// ways: the item succeeded, it failed with a published code, it is queued again
// and the message is reported as failed, so that the queue delivers it again, or it is
// parked during an outage of the profile provider: queued until a time, with no attempt used.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Service holds the worker's stores and providers.
type Service struct {
	host        cloud.Host
	accounts    *account.Store
	submissions *submission.Store
	network     *network.Store
	resumes     objectstore.Bucket
	persons     *entity.Store // who was erased
	profiles    profile.TableStore
	write       func() *dynamo.WriteTx
	breaker     *profile.Breaker // of the provider for live keys
	live, test  profile.Provider
	settings    settings
}

// New opens the worker's tables, bucket and providers. It fails if a setting is
// missing or malformed.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	s := &Service{
		host: h, write: o.Write, settings: settingsFrom(o), resumes: objectstore.Open(o, topology.Resumes),
		accounts: account.Open(o),
		network:  network.Open(o),
		persons:  entity.Open(o),
		profiles: profile.Open(o), submissions: submission.Open(o),
	}
	s.submissions.Discard = s.resumes.Delete
	s.breaker = newBreaker(o, s.profiles, s.settings.retryDelay)
	s.live = profile.Cached{Provider: s.breaker, Store: s.profiles, TTL: profileTTL, Now: o.Now}
	s.test = newSandbox(o)
	return s, o.Err()
}

// Handle processes the messages of one invocation and returns those that the queue
// must deliver again.
func (s *Service) Handle(ctx context.Context, event events.SQSEvent) (events.SQSEventResponse, error) {
	var response events.SQSEventResponse
	for _, message := range event.Records {
		if err := s.processMessage(ctx, message); err != nil {
			response.BatchItemFailures = append(response.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return response, nil
}

// processMessage claims the item that the message names, runs one attempt, and writes its one log line, which holds no
// personal data. An error means that the queue must deliver the message again.
func (s *Service) processMessage(ctx context.Context, message events.SQSMessage) error {
	start := s.host.Now()
	ctx = cloud.WithMessageTrace(cloud.Metered(ctx), message.Attributes)
	nonce := s.host.NewID().String()
	claim, err := s.submissions.Claim(ctx, message.Body, nonce, start, s.leaseTime(ctx))
	if errors.Is(err, submission.ErrGone) || errors.Is(err, submission.ErrBusy) {
		return nil
	}
	if err != nil {
		s.host.Log.ErrorContext(ctx, "ingest: no claim", "message", message.MessageId, "error", err)
		return err
	}
	ctx = cloud.WithTrace(ctx, claim.Trace)
	result := s.runAttempt(ctx, claim)
	ended := s.host.Now()
	s.host.Log.InfoContext(cloud.Finished(ctx), "ingest", "submission", claim.ID, "batch", claim.BatchID, "agency", claim.AgencyID,
		"attempt", claim.Attempt, "status", result.status, "code", result.code, "ms", ended.Sub(start).Milliseconds(),
		"age_ms", ended.Sub(claim.SubmittedAt).Milliseconds(), "cause", result.cause, "alarm", result.alarm)
	return result.err
}

// leaseTime returns how long this attempt may hold the item: until the function is
// stopped, and a little longer, so that two attempts never overlap.
func (s *Service) leaseTime(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return topology.Ingest.Timeout + s.settings.leaseGrace
	}
	return time.Until(deadline) + s.settings.leaseGrace
}

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
