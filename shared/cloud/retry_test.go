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
	conflict := &types.TransactionConflictException{}
	for _, test := range []struct {
		failure error
		attempt int
		most    time.Duration
	}{
		{conflict, 0, 20}, {conflict, 1, 40}, {conflict, 3, 160}, {conflict, 5, 500}, {conflict, 60, 500},
		{errors.New("broken"), 0, 100}, {errors.New("broken"), 1, 200}, {errors.New("broken"), 3, 500}, {errors.New("broken"), 60, 500},
	} {
		most := test.most * time.Millisecond
		for range 100 {
			got, err := retryDelay(test.attempt, test.failure)
			if err != nil || got < most/2 || got > most {
				t.Fatalf("%v: attempt %d waits %v, %v; want between %v and %v", test.failure, test.attempt, got, err, most/2, most)
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
		err      error
		conflict bool // which uses up no quota
		want     aws.Ternary
	}{
		"a conflict of one write":           {&types.TransactionConflictException{}, true, aws.TrueTernary},
		"a conflict in a transaction":       {cancelled("None", "TransactionConflict"), true, aws.TrueTernary},
		"throttling in a transaction":       {cancelled("ThrottlingError", "None"), false, aws.TrueTernary},
		"throttling and a conflict":         {cancelled("ThrottlingError", "TransactionConflict"), false, aws.TrueTernary},
		"a failed condition":                {cancelled("None", "ConditionalCheckFailed"), false, aws.FalseTernary},
		"a failed condition and a conflict": {cancelled("TransactionConflict", "ConditionalCheckFailed"), false, aws.FalseTernary},
		"an invalid transaction":            {cancelled("ValidationError"), false, aws.FalseTernary},
		"a transaction without a reason":    {cancelled("None"), false, aws.FalseTernary},
		"anything else":                     {errors.New("broken"), false, aws.UnknownTernary},
	} {
		if got := canSucceedLater(c.err); got != c.want || isConflict(c.err) != c.conflict {
			t.Errorf("%s: got %v, a conflict: %t; want %v, %t", name, got, isConflict(c.err), c.want, c.conflict)
		}
	}
}
