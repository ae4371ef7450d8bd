package ingest

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// attemptResult is how an attempt ended.
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
			_ = s.releaseClaim(context.WithoutCancel(ctx), claim)
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
	if f.retry && !f.park && s.hasTimeToRetry(claim) {
		return s.retryLater(ctx, claim, f.cause, f.alarm)
	}
	err = s.submissions.Fail(ctx, claim, f.code, f.message, s.host.Now())
	return attemptResult{status: contract.Failed, code: f.code, cause: f.cause, alarm: f.alarm, err: err}
}

// retryLater queues the item again, or fails it after its last attempt.
func (s *Service) retryLater(ctx context.Context, claim submission.Claim, cause error, alarm bool) attemptResult {
	err := s.releaseClaim(ctx, claim)
	if claim.LastAttempt() {
		return attemptResult{status: contract.Failed, code: contract.InternalError, cause: cause, alarm: alarm, err: err}
	}
	return attemptResult{status: contract.Queued, cause: cause, alarm: alarm, err: errors.Join(errRequeued, err)}
}

func (s *Service) releaseClaim(ctx context.Context, claim submission.Claim) error {
	now := s.host.Now()
	if claim.LastAttempt() {
		return s.submissions.FailExhausted(ctx, claim, now)
	}
	return s.submissions.Requeue(ctx, claim, now, s.retryWait(claim))
}

func (s *Service) retryWait(claim submission.Claim) time.Duration {
	return s.settings.retryDelay << (claim.Attempt - 1)
}

// hasTimeToRetry reports whether there is a further attempt that could do any work. Without one
// the failure's own code is final: an attempt without time would end as an internal error.
func (s *Service) hasTimeToRetry(claim submission.Claim) bool {
	return !claim.LastAttempt() && s.host.Now().Add(s.retryWait(claim)).Before(endOfWork(claim))
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
	doubled := s.settings.retryDelay << min(claim.Parks, maxParkingFactor)
	wait := max(min(after, profile.MaxRetryAfter), min(doubled, maxParkingFactor*s.settings.retryDelay))
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
