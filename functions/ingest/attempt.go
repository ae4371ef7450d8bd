package ingest

import (
	"context"
	"errors"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// end is how an attempt ended.
type end struct {
	status contract.ItemStatus
	code   contract.SubmissionError
	// cause is for the log.
	cause error
	// alarm: an operator has to act, or every submission will fail like this one.
	alarm bool
	// err is set when the queue shall bring the message back.
	err error
}

// failure is an error that ends the item with a published code.
type failure struct {
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
func (f *failure) Error() string { return string(f.code) }

// Unwrap gives the cause.
func (f *failure) Unwrap() error { return f.cause }

// errRequeued reports a message as failed, so that the queue brings it back.
var errRequeued = errors.New("the item is queued again")

// attempt does the work of one claim and records how it ended. If the worker
// panics, the item is given back before the process dies, and what it panicked with
// is told without what it was reading.
func (s *Service) attempt(ctx context.Context, c submission.Claim) end {
	finished := false
	defer func() {
		if finished {
			return
		}
		v := recover()
		_ = s.giveBack(context.WithoutCancel(ctx), c)
		if v != nil {
			panic(cloud.Panicked(v))
		}
	}()
	work, cancel := context.WithTimeout(ctx, s.budget(ctx, c))
	defer cancel()
	err := s.ingest(work, c)
	finished = true
	return s.record(context.WithoutCancel(ctx), c, err)
}

// record writes the end of an attempt that did not succeed; success was written
// with the membership.
func (s *Service) record(ctx context.Context, c submission.Claim, err error) end {
	switch {
	case err == nil:
		return end{status: contract.Succeeded}
	case errors.Is(err, errLost):
		return end{cause: err}
	}
	var f *failure
	if !errors.As(err, &f) {
		return s.retryLater(ctx, c, end{cause: err})
	}
	c.Evidence = f.evidence
	e := end{status: contract.Failed, code: f.code, cause: f.cause, alarm: f.alarm}
	if f.retry && c.Attempt < s.settings.verifyAttempts {
		return s.retryLater(ctx, c, e)
	}
	e.err = s.submissions.Fail(ctx, c, f.code, f.message, s.host.Now())
	return e
}

// retryLater queues the item again, or ends it when that was the last attempt.
func (s *Service) retryLater(ctx context.Context, c submission.Claim, e end) end {
	e.err = s.giveBack(ctx, c)
	e.status, e.code = contract.Queued, ""
	if c.Last() {
		e.status, e.code = contract.Failed, contract.InternalError
		return e
	}
	e.err = errors.Join(errRequeued, e.err)
	return e
}

func (s *Service) giveBack(ctx context.Context, c submission.Claim) error {
	now := s.host.Now()
	if c.Last() {
		return s.submissions.Exhausted(ctx, c, now)
	}
	return s.submissions.Requeue(ctx, c, now, s.settings.retryDelay<<(c.Attempt-1))
}

// recordTime is kept of an invocation to write how the attempt ended: a function
// past its time-out is stopped without a word.
const recordTime = 3 * time.Second

// budget is how long an attempt may work: until shortly before the function is
// stopped, and not into the item's last minute (or tenth, for short time-outs),
// so that no work ends when the item already reads as timed out.
func (s *Service) budget(ctx context.Context, c submission.Claim) time.Duration {
	left := c.Deadline.Sub(s.host.Now()) - min(time.Minute, c.Deadline.Sub(c.SubmittedAt)/10)
	if stop, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(stop)-recordTime)
	}
	return left
}
