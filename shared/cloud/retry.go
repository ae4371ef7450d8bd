package cloud

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// newRetryer is the one retry policy: the SDK's standard one, and transaction
// conflicts besides, which it does not retry. A conflict is contention on one
// item, so the attempts are many and the waits short.
func newRetryer() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = 10
		o.MaxBackoff = 500 * time.Millisecond
		o.RateLimiter = unlimited{}
		o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(conflict)}, o.Retryables...)
	})
}

// conflict tells a transaction conflict apart: alone, or as the only kind of
// reason a transaction was cancelled for. A failed condition is never retried.
func conflict(err error) aws.Ternary {
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

// unlimited switches the SDK's client-side retry quota off: it is per process,
// so one tenant's contention would use up every other tenant's retries.
type unlimited struct{}

func noRelease() error { return nil }

// GetToken always grants a retry.
func (unlimited) GetToken(ctx context.Context, _ uint) (func() error, error) {
	return noRelease, ctx.Err()
}

// AddTokens has nothing to add to.
func (unlimited) AddTokens(uint) error { return nil }
