package account_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestFailedCallsAreErrors fails if an operation of which one call failed is taken for done.
func TestFailedCallsAreErrors(t *testing.T) {
	t.Parallel()
	errCut := errors.New("the connection was cut")
	for name, do := range map[string]func(context.Context, testStore, account.Key) error{
		"create": func(ctx context.Context, s testStore, _ account.Key) error {
			_, err := s.CreateKey(ctx, newRequest(agencyKeys))
			return err
		},
		"revoke": func(ctx context.Context, s testStore, key account.Key) error {
			_, err := s.RevokeKey(ctx, agencyKeys, "owner", key.KeyID, start)
			return err
		},
		"rename": func(ctx context.Context, s testStore, key account.Key) error {
			_, err := s.RenameKey(ctx, agencyKeys, "owner", key.KeyID, "Backfill")
			return err
		},
		"list": func(ctx context.Context, s testStore, _ account.Key) error {
			_, _, err := s.ListKeys(ctx, agencyKeys, "owner", "")
			return err
		},
		"standing": func(ctx context.Context, s testStore, _ account.Key) error {
			_, err := s.Standing(ctx, "recruiter-1", "agency-1")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls, failing atomic.Int64
			s := newTestStore(t, func(_ context.Context, _ cloud.Call, send func() error) error {
				if calls.Add(1) == failing.Load() {
					return errCut
				}
				return send()
			})
			key := s.mustCreate(t, newRequest(agencyKeys))
			for failed := int64(1); ; failed++ {
				calls.Store(0)
				failing.Store(failed)
				err := do(t.Context(), s, key)
				if calls.Load() < failed {
					if err != nil || failed == 1 {
						t.Errorf("without a failure: %v, after %d calls", err, calls.Load())
					}
					return
				}
				if !errors.Is(err, errCut) {
					t.Errorf("call %d: got %v, want %v", failed, err, errCut)
				}
			}
		})
	}
}
