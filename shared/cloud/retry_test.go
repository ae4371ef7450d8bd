package cloud

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestBackoffGrowsAndIsBounded(t *testing.T) {
	t.Parallel()
	for attempt, most := range map[int]time.Duration{0: 20, 1: 40, 3: 160, 5: 500, 60: 500} {
		most *= time.Millisecond
		for range 100 {
			got, err := retryDelay(attempt, nil)
			if err != nil || got < most/2 || got > most {
				t.Fatalf("attempt %d waits %v, %v; want between %v and %v", attempt, got, err, most/2, most)
			}
		}
	}
}

func TestConflictsAreRetriedAndConditionsAreNot(t *testing.T) {
	t.Parallel()
	cancelled := func(codes ...string) error {
		e := &types.TransactionCanceledException{}
		for _, code := range codes {
			e.CancellationReasons = append(e.CancellationReasons, types.CancellationReason{Code: aws.String(code)})
		}
		return e
	}
	for name, c := range map[string]struct {
		err  error
		want aws.Ternary
	}{
		"a conflict of one write":           {&types.TransactionConflictException{}, aws.TrueTernary},
		"a conflict in a transaction":       {cancelled("None", "TransactionConflict"), aws.TrueTernary},
		"throttling in a transaction":       {cancelled("ThrottlingError", "None"), aws.TrueTernary},
		"a failed condition":                {cancelled("None", "ConditionalCheckFailed"), aws.FalseTernary},
		"a failed condition and a conflict": {cancelled("TransactionConflict", "ConditionalCheckFailed"), aws.FalseTernary},
		"an invalid transaction":            {cancelled("ValidationError"), aws.FalseTernary},
		"anything else":                     {errors.New("broken"), aws.UnknownTernary},
	} {
		if got := isConflict(c.err); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
