// Package ingest is the worker that runs accepted submissions: it reads the
// resume, checks that it is the candidate's, verifies the profile and commits the candidate to
// the talent network together with the outcome of the item.
//
// A queue feeds it, one message per invocation. A message only wakes it up: the item
// that it names is claimed by a conditional write. An attempt ends in one of four
// ways: the item succeeded, it failed with a published code, it is queued again
// and the message is reported as failed, so that the queue delivers it again, or it is
// parked during an outage of the profile provider: queued until a time, with no attempt used.
package ingest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/url"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
	profiles    dynamo.Table  // topology.Network
	write       func() *dynamo.WriteTx
	breaker     *profile.Breaker // of the provider for live keys
	live, test  profile.Provider
	// leaseGrace (INGEST_LEASE_GRACE) is how long a lease outlives the function's time-out.
	leaseGrace time.Duration
	// retryDelay (INGEST_RETRY_DELAY) is the wait after the first failed attempt; it
	// doubles with each further one. It is also the first wait of a parked item and
	// the first pause of the breaker.
	retryDelay time.Duration
}

// New opens the worker's tables, bucket and providers. It fails if a setting is
// missing or malformed.
func New(_ context.Context, h cloud.Host) (*Service, error) {
	o := h.Opener()
	s := &Service{
		host: h, write: o.Write, resumes: objectstore.Open(o, topology.Resumes),
		leaseGrace: o.Duration("INGEST_LEASE_GRACE", 30*time.Second), retryDelay: o.Duration("INGEST_RETRY_DELAY", time.Minute),
		accounts: account.Open(o),
		network:  network.Open(o),
		persons:  entity.Open(o),
		profiles: o.Table(topology.Network), submissions: submission.Open(o),
	}
	s.submissions.Discard = s.resumes.Delete
	s.breaker = newBreaker(o, s.profiles, s.retryDelay)
	s.live = profile.Cached{Provider: s.breaker, Table: s.profiles, TTL: profileTTL, Now: o.Now}
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
		return topology.Ingest.Timeout + s.leaseGrace
	}
	return time.Until(deadline) + s.leaseGrace
}

type attemptResult struct {
	status contract.ItemStatus
	code   contract.SubmissionError
	cause  error // for the log only
	alarm  bool  // an operator must act, or every submission will fail like this one
	err    error // set if the queue must deliver the message again
}

// itemFailure is an error that ends the item with a published code.
type itemFailure struct {
	code     contract.SubmissionError
	message  string
	cause    error
	retry    bool          // worth another attempt before it is final
	park     bool          // park the item; final only when its time is nearly over
	after    time.Duration // how long a parked item waits at least
	alarm    bool
	evidence string // stored with the item
}

func newFailure(code contract.SubmissionError, message string) *itemFailure {
	return &itemFailure{code: code, message: message}
}

// Error returns the published code, for the log.
func (f *itemFailure) Error() string { return string(f.code) }

// Unwrap returns the cause.
func (f *itemFailure) Unwrap() error { return f.cause }

// errRequeued reports a message as failed, so that the queue delivers it again.
var errRequeued = errors.New("the item is queued again")

// runAttempt works on one claim and records how the attempt ended. If the worker
// panics, the claim is released before the process dies, and the panic continues
// without the data that was being read.
func (s *Service) runAttempt(ctx context.Context, claim submission.Claim) attemptResult {
	defer func() {
		if v := recover(); v != nil {
			_ = s.submissions.Requeue(context.WithoutCancel(ctx), claim, s.host.Now(), s.retryWait(claim))
			panic(cloud.Panicked(v))
		}
	}()
	work, cancel := context.WithTimeout(ctx, s.workBudget(ctx, claim))
	defer cancel()
	err := s.ingestClaim(work, claim)
	return s.recordResult(context.WithoutCancel(ctx), claim, err)
}

// recordResult stores the outcome of an attempt that failed. That of one that
// succeeded was stored with the membership.
func (s *Service) recordResult(ctx context.Context, claim submission.Claim, err error) attemptResult {
	switch {
	case err == nil:
		return attemptResult{status: contract.Succeeded}
	case errors.Is(err, errClaimLost):
		return attemptResult{cause: err}
	}
	f, ok := errors.AsType[*itemFailure](err)
	if !ok {
		return s.retryLater(ctx, claim, err, false)
	}
	claim.Evidence = f.evidence
	if until, ok := s.parkingEnd(claim, f.after); f.park && ok {
		err := s.submissions.Park(ctx, claim, s.host.Now(), until)
		return attemptResult{status: contract.Queued, cause: f.cause, alarm: f.alarm, err: err}
	}
	// Without time for a further attempt the failure's own code is final: an attempt without time would end as an internal error.
	hasTime := !claim.LastAttempt() && s.host.Now().Add(s.retryWait(claim)).Before(endOfWork(claim))
	if f.retry && !f.park && hasTime {
		return s.retryLater(ctx, claim, f.cause, f.alarm)
	}
	err = s.submissions.Fail(ctx, claim, f.code, f.message, s.host.Now())
	return attemptResult{status: contract.Failed, code: f.code, cause: f.cause, alarm: f.alarm, err: err}
}

// retryLater queues the item again, or fails it after its last attempt.
func (s *Service) retryLater(ctx context.Context, claim submission.Claim, cause error, alarm bool) attemptResult {
	err := s.submissions.Requeue(ctx, claim, s.host.Now(), s.retryWait(claim))
	if claim.LastAttempt() {
		return attemptResult{status: contract.Failed, code: contract.InternalError, cause: cause, alarm: alarm, err: err}
	}
	return attemptResult{status: contract.Queued, cause: cause, alarm: alarm, err: errors.Join(errRequeued, err)}
}

func (s *Service) retryWait(claim submission.Claim) time.Duration {
	return s.retryDelay << (claim.Attempt - 1)
}

// maxParkingFactor bounds the doubled wait of a parked item, as a multiple of the retry delay.
const maxParkingFactor = 10

// parkingEnd returns until when an item is parked, or false if it is too late for that: the
// last look-up is early enough to fail with its own code before the item's last deadline. The
// submission's id lengthens each wait by up to a half, because an outage parks thousands of
// items at the same moment.
func (s *Service) parkingEnd(claim submission.Claim, after time.Duration) (time.Time, bool) {
	now := s.host.Now()
	last := s.submissions.LastDeadline(claim.Submission)
	lastCall := last.Add(-min(5*time.Minute, last.Sub(claim.SubmittedAt)/10))
	doubled := s.retryDelay << min(claim.Parks, maxParkingFactor)
	wait := max(min(after, profile.MaxRetryAfter), min(doubled, maxParkingFactor*s.retryDelay))
	wait += wait / 2 * time.Duration(binary.BigEndian.Uint16(claim.ID[14:])) / math.MaxUint16
	if until := now.Add(wait); until.Before(lastCall) {
		return until, true
	}
	return lastCall, now.Before(lastCall)
}

// recordingReserve is the end of an invocation that is kept for recording how the
// attempt ended: a function that exceeds its time-out is stopped without warning.
const recordingReserve = 3 * time.Second

// endOfWork returns when the item's last minute begins (or last tenth, for short time-outs): no
// work may end when the item already reads as timed out.
func endOfWork(claim submission.Claim) time.Time {
	return claim.Deadline.Add(-min(time.Minute, claim.Deadline.Sub(claim.SubmittedAt)/10))
}

// workBudget returns how long an attempt may work: until shortly before the function is
// stopped, and not beyond [endOfWork].
func (s *Service) workBudget(ctx context.Context, claim submission.Claim) time.Duration {
	left := endOfWork(claim).Sub(s.host.Now())
	if stop, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(stop)-recordingReserve)
	}
	return left
}

// profileTTL is how long a provider's answer is cached: a repeated look-up is billed.
const profileTTL = 7 * 24 * time.Hour

// newBreaker returns the provider for live keys, without its cache.
func newBreaker(o *cloud.Opener, table dynamo.Table, pause time.Duration) *profile.Breaker {
	address := o.Getenv(topology.SettingProfileURL)
	host := "none" // its look-ups fail with reason settings
	if parsed, err := url.Parse(address); err == nil && parsed.Host != "" {
		host = parsed.Host
	}
	return &profile.Breaker{
		Provider: newProvider(o, address), Table: table, Endpoint: host, Now: o.Now, NewID: o.NewID, Wait: o.Wait,
		Limits: profile.Limits{
			PerMinute: max(1, o.Int(topology.SettingProfileRate, topology.DefaultProfileRate)),
			Pause:     pause,
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
