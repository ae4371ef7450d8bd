package ingest

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// attemptResult is how an attempt ended.
type attemptResult struct {
	status contract.ItemStatus
	code   contract.SubmissionError
	// cause is for the log.
	cause error
	// alarm: an operator has to act, or every submission will fail like this one.
	alarm bool
	// err is set when the queue shall bring the message back.
	err error
}

// itemFailure is an error that ends the item with a published code.
type itemFailure struct {
	code    contract.SubmissionError
	message string
	cause   error
	// retry: worth another attempt before it is final.
	retry bool
	alarm bool
	// evidence is stored with the item.
	evidence string
}

// Error is for the log.
func (f *itemFailure) Error() string { return string(f.code) }

// Unwrap gives the cause.
func (f *itemFailure) Unwrap() error { return f.cause }

// errRequeued reports a message as failed, so that the queue brings it back.
var errRequeued = errors.New("the item is queued again")

// runAttempt does the work of one claim and records how it ended. If the worker
// panics, the item is given back before the process dies, and what it panicked with
// is told without what it was reading.
func (s *Service) runAttempt(ctx context.Context, claim submission.Claim) attemptResult {
	finished := false
	defer func() {
		if finished {
			return
		}
		v := recover()
		_ = s.releaseClaim(context.WithoutCancel(ctx), claim)
		if v != nil {
			panic(cloud.Panicked(v))
		}
	}()
	work, cancel := context.WithTimeout(ctx, s.workBudget(ctx, claim))
	defer cancel()
	err := s.ingestClaim(work, claim)
	finished = true
	return s.recordResult(context.WithoutCancel(ctx), claim, err)
}

// recordResult writes the end of an attempt that did not succeed; success was written
// with the membership.
func (s *Service) recordResult(ctx context.Context, claim submission.Claim, err error) attemptResult {
	switch {
	case err == nil:
		return attemptResult{status: contract.Succeeded}
	case errors.Is(err, errClaimLost):
		return attemptResult{cause: err}
	}
	var f *itemFailure
	if !errors.As(err, &f) {
		return s.retryLater(ctx, claim, attemptResult{cause: err})
	}
	claim.Evidence = f.evidence
	e := attemptResult{status: contract.Failed, code: f.code, cause: f.cause, alarm: f.alarm}
	if f.retry && claim.Attempt < s.settings.verifyAttempts {
		return s.retryLater(ctx, claim, e)
	}
	e.err = s.submissions.Fail(ctx, claim, f.code, f.message, s.host.Now())
	return e
}

// retryLater queues the item again, or ends it when that was the last attempt.
func (s *Service) retryLater(ctx context.Context, claim submission.Claim, e attemptResult) attemptResult {
	e.err = s.releaseClaim(ctx, claim)
	e.status, e.code = contract.Queued, ""
	if claim.LastAttempt() {
		e.status, e.code = contract.Failed, contract.InternalError
		return e
	}
	e.err = errors.Join(errRequeued, e.err)
	return e
}

func (s *Service) releaseClaim(ctx context.Context, claim submission.Claim) error {
	now := s.host.Now()
	if claim.LastAttempt() {
		return s.submissions.FailExhausted(ctx, claim, now)
	}
	return s.submissions.Requeue(ctx, claim, now, s.settings.retryDelay<<(claim.Attempt-1))
}

// recordingReserve is kept of an invocation to write how the attempt ended: a function
// past its time-out is stopped without a word.
const recordingReserve = 3 * time.Second

// workBudget is how long an attempt may work: until shortly before the function is
// stopped, and not into the item's last minute (or tenth, for short time-outs),
// so that no work ends when the item already reads as timed out.
func (s *Service) workBudget(ctx context.Context, claim submission.Claim) time.Duration {
	left := claim.Deadline.Sub(s.host.Now()) - min(time.Minute, claim.Deadline.Sub(claim.SubmittedAt)/10)
	if stop, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(stop)-recordingReserve)
	}
	return left
}
