package cloud

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// newRetryer returns the one retry policy: the SDK's standard one, and transaction
// conflicts besides, which it does not retry. A conflict is contention on one
// item, so the attempts are many and the waits short.
func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = 10
		o.Backoff = retry.BackoffDelayerFunc(retryDelay)
		o.RateLimiter = unlimitedRetries{}
		o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(isConflict)}, o.Retryables...)
	})
}

// retryDelay returns the wait: it doubles from 20 ms to half a second, with a random
// half, so that writers of one item do not meet again. (The SDK's own, bounded below
// one second, always waits the bound.)
func retryDelay(attempt int, _ error) (time.Duration, error) {
	most := min(20*time.Millisecond<<min(attempt, 10), 500*time.Millisecond)
	return most/2 + rand.N(most/2), nil
}

// isConflict reports whether an error is a transaction conflict: alone, or as the only kind of
// reason a transaction was cancelled for. A failed condition is never retried.
func isConflict(err error) aws.Ternary {
	var single *types.TransactionConflictException
	if errors.As(err, &single) {
		return aws.TrueTernary
	}
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return aws.UnknownTernary
	}
	found := false
	for _, reason := range cancelled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			found = true
		case "None", "":
		default:
			return aws.FalseTernary
		}
	}
	return aws.BoolTernary(found)
}

// unlimitedRetries switches the SDK's client-side retry quota off: it is per process,
// so one tenant's contention would use up every other tenant's retries.
type unlimitedRetries struct{}

func noRelease() error { return nil }

// GetToken grants every retry.
func (unlimitedRetries) GetToken(ctx context.Context, _ uint) (func() error, error) {
	return noRelease, ctx.Err()
}

// AddTokens does nothing.
func (unlimitedRetries) AddTokens(uint) error { return nil }
