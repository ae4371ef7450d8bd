package cloud

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A call is attempted mostAttempts times if writers compete for one item or a write is throttled,
// and fewAttempts times otherwise: more requests do not help a service that fails.
const (
	mostAttempts = 10
	fewAttempts  = 3
)

// retryer is the one retry policy: the SDK's standard one with its quota of retries, extended to
// transaction conflicts, which that one does not retry. Conflicts use up no quota, because it belongs
// to the process: one tenant's contention would use up every other tenant's retries.
type retryer struct{ *retry.Standard }

func newRetryer() aws.Retryer {
	return retryer{retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = mostAttempts
		o.Backoff = retry.BackoffDelayerFunc(retryDelay)
		o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(canSucceedLater)}, o.Retryables...)
	})}
}

var errEnoughAttempts = errors.New("no further attempt is made")

// GetRetryToken implements [aws.Retryer]: it returns an error if the failed attempt is the last one.
func (r retryer) GetRetryToken(ctx context.Context, failure error) (func(error) error, error) {
	call := callOf(ctx)
	switch {
	case isConflict(failure):
		return func(error) error { return nil }, ctx.Err()
	case call.attempts >= fewAttempts && (call.reads || !isThrottled(failure)):
		return nil, errEnoughAttempts
	}
	return r.Standard.GetRetryToken(ctx, failure)
}

const (
	conflictDelay = 20 * time.Millisecond
	failureDelay  = 100 * time.Millisecond
	maxDelay      = 500 * time.Millisecond
)

// retryDelay returns the wait: it doubles up to half a second, with a random half, so that writers of
// one item do not meet again. It begins shorter after a conflict, which ends soon. (The SDK's own,
// bounded below one second, always waits the bound.)
func retryDelay(attempt int, failure error) (time.Duration, error) {
	first := failureDelay
	if isConflict(failure) {
		first = conflictDelay
	}
	most := min(first<<min(attempt, 10), maxDelay)
	return most/2 + rand.N(most/2), nil
}

const conflictReason = "TransactionConflict"

// isConflict reports whether an error is a transaction conflict: alone, or as the only kind of
// reason for which a transaction was cancelled.
func isConflict(err error) bool {
	var single *types.TransactionConflictException
	return errors.As(err, &single) || isCancelledFor(err, conflictReason)
}

func isThrottled(err error) bool {
	throttled := retry.IsErrorThrottles(retry.DefaultThrottles).IsErrorThrottle(err).Bool()
	return throttled || isCancelledFor(err, conflictReason, "ThrottlingError", "ProvisionedThroughputExceeded")
}

// canSucceedLater reports whether an error is a conflict, or a transaction that was throttled. A
// transaction with a failed condition is never repeated.
func canSucceedLater(err error) aws.Ternary {
	var cancelled *types.TransactionCanceledException
	switch {
	case isConflict(err):
		return aws.TrueTernary
	case errors.As(err, &cancelled):
		return aws.BoolTernary(isThrottled(err))
	}
	return aws.UnknownTernary
}

func isCancelledFor(err error, codes ...string) bool {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok {
		return false
	}
	found := false
	for _, reason := range cancelled.CancellationReasons {
		switch code := aws.ToString(reason.Code); {
		case code == "" || code == "None":
		case slices.Contains(codes, code):
			found = true
		default:
			return false
		}
	}
	return found
}
