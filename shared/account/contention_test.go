package account_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestAWriteThatAlwaysLosesIsAnError fails if a write that conflicted every time is reported as done, or if one
// that lost fifty times is given up.
func TestAWriteThatAlwaysLosesIsAnError(t *testing.T) {
	t.Parallel()
	lost := []types.CancellationReason{{Code: aws.String("ConditionalCheckFailed")}}
	for name, write := range map[string]func(context.Context, testStore) error{
		"agency":    func(ctx context.Context, s testStore) error { return s.ApplyAgency(ctx, "agency-1", 9, nil) },
		"recruiter": func(ctx context.Context, s testStore) error { return s.ApplyRecruiter(ctx, "recruiter-1", 9, nil) },
		"member":    func(ctx context.Context, s testStore) error { return s.ApplyMember(ctx, "agency-1", "member", 9, nil) },
		"create": func(ctx context.Context, s testStore) error {
			_, err := s.CreateKey(ctx, newRequest(agencyKeys))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, test := range []struct {
				losses  int
				isError bool
			}{{50, false}, {1000, true}} {
				losses := 0
				s := newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
					if losses == 0 || call.Operation != "TransactWriteItems" {
						return send()
					}
					losses--
					return &types.TransactionCanceledException{CancellationReasons: lost}
				})
				losses = test.losses
				if err := write(t.Context(), s); (err != nil) != test.isError {
					t.Errorf("after %d losses: got %v, want an error: %t", test.losses, err, test.isError)
				}
				if !test.isError && losses != 0 {
					t.Errorf("the write lost %d times less than %d", losses, test.losses)
				}
			}
		})
	}
}
