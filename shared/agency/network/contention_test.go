package network_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestWritesThatAlwaysLose fails if a write whose transaction failed on a condition sixty times is reported as done.
func TestWritesThatAlwaysLose(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(d testStore, m network.Membership) error{
		"preferences": func(d testStore, m network.Membership) error {
			_, err := d.SetPreferences(ctx, m, contract.WorkPreferences{SalaryMin: 7}, write(time.Hour))
			return err
		},
		"off the market": func(d testStore, _ network.Membership) error {
			_, err := d.OffMarket(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, write(time.Hour))
			return err
		},
		"submitted to a role": func(d testStore, _ network.Membership) error {
			return d.AddByRoleSubmission(ctx, newCandidate("bob", "b"), candidateID(2), write(time.Hour))
		},
		"erased": func(d testStore, m network.Membership) error {
			removed, kept, err := d.EraseMembership(ctx, m.ID, start, forgetNothing)
			if removed+kept > 0 {
				d.t.Errorf("removed %d and kept %d", removed, kept)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
			before := d.mustMembership(candidateID(1))
			tries := 0
			o := d.withHook(func(_ context.Context, call cloud.Call, send func() error) error {
				if call.Operation == "TransactWriteItems" {
					tries++
					return conflict
				}
				return send()
			})
			if err := do(o, before); err == nil || tries != 60 {
				t.Errorf("got %v after %d transactions, want an error after 60", err, tries)
			}
			if diff := cmp.Diff(before.Row(), d.mustMembership(candidateID(1)).Row()); diff != "" {
				t.Errorf("it has changed (-before +after):\n%s", diff)
			}
		})
	}
}

// TestExclusionsThatAlwaysLose fails if an identity is reported as pre-excluded that changed each time before it was.
func TestExclusionsThatAlwaysLose(t *testing.T) {
	t.Parallel()
	tries := 0
	d := newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "UpdateItem" {
			tries++
			return conflict
		}
		return send()
	})
	out, err := d.OffMarket(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, write(time.Hour))
	if err == nil || tries != 60 {
		t.Errorf("got %+v, %v after %d writes, want an error after 60", out, err, tries)
	}
	if calls := d.calls.Reset(); !slices.Contains(calls, "DynamoDB.BatchGetItem") {
		t.Errorf("made the calls %v, want the identity to be read again", calls)
	}
}
