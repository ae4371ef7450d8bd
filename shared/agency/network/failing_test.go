package network_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

var errCut = errors.New("the connection was cut")

// operations are the operations of a store in which twelve persons have the address "a"; m is the membership of one of them.
var operations = map[string]func(ctx context.Context, d testStore, m network.Membership) error{
	"find a place": func(ctx context.Context, d testStore, _ network.Membership) error {
		_, err := d.FindPlace(ctx, newSharer(0, time.Hour), candidateID(99))
		return err
	},
	"read a membership": func(ctx context.Context, d testStore, m network.Membership) error {
		_, _, err := d.Membership(ctx, m.ID)
		return err
	},
	"submit to a role": func(ctx context.Context, d testStore, m network.Membership) error {
		return d.AddByRoleSubmission(ctx, newSharer(0, time.Hour), candidateID(99), write(time.Hour))
	},
	"submit another to a role": func(ctx context.Context, d testStore, m network.Membership) error {
		return d.AddByRoleSubmission(ctx, newCandidate("new", "new"), candidateID(99), write(time.Hour))
	},
	"set preferences": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.SetPreferences(ctx, m, contract.WorkPreferences{SalaryMin: 7}, write(time.Hour))
		return err
	},
	"take off the market": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.OffMarket(ctx, "agy_1", someReferences, allOwners, write(time.Hour))
		return err
	},
	"pre-exclude": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.OffMarket(ctx, "agy_1", someReferences, noOwners, write(time.Hour))
		return err
	},
	"re-enable": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.ReEnable(ctx, "agy_1", someReferences, allOwners, write(100*24*time.Hour))
		return err
	},
	"list": func(ctx context.Context, d testStore, _ network.Membership) error {
		_, _, err := d.List(ctx, "agy_1", network.Filter{}, network.Page{Limit: 2, Now: start}, noOwners)
		return err
	},
	"list the expired": func(ctx context.Context, d testStore, _ network.Membership) error {
		p := network.Page{Limit: 2, Now: start.Add(network.DefaultEligibility)}
		_, _, err := d.List(ctx, "agy_1", network.Filter{Status: contract.Expired}, p, allOwners)
		return err
	},
	"sweep": func(ctx context.Context, d testStore, _ network.Membership) error {
		expire, _ := d.NewSweep(start.Add(network.DefaultEligibility))
		_, err := expire(ctx, func() bool { return true })
		return err
	},
	"ask for members": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.LeadsToMember(ctx, identity.Hash(m.Email))
		return err
	},
	"erase": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.Erase(ctx, identity.Hash(m.LinkedInURL), start, forgetNothing)
		return err
	},
	"erase an exclusion": func(ctx context.Context, d testStore, m network.Membership) error {
		_, err := d.Erase(ctx, identity.Hash("nobody@example.com"), start, forgetNothing)
		return err
	},
}

func write(after time.Duration) network.Write {
	return network.Write{Now: start.Add(after), ID: "write", With: []func(*dynamo.WriteTx){func(*dynamo.WriteTx) {}}}
}

func forgetNothing(context.Context, network.Membership) error { return nil }

var someReferences = []contract.CandidateReference{emailReference("a"), emailReference("nobody"), {CandidateUserID: new(candidateID(1))}}

// TestFailedCallsAreErrors fails if an operation reports success although one of its calls failed.
func TestFailedCallsAreErrors(t *testing.T) {
	t.Parallel()
	for name, do := range operations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := int64(1); ; n++ {
				var left atomic.Int64
				d := newTestStore(t, failCall(&left))
				for i := range 12 {
					d.mustIngest(newSharer(i, 0), candidateID(i), start)
				}
				d.offMarket(start, emailReference("nobody"))
				m := d.mustMembership(candidateID(1))
				left.Store(n)
				err := do(t.Context(), d, m)
				if left.Load() > 0 { // it made fewer calls
					must(t, err)
					return
				}
				if !errors.Is(err, errCut) {
					t.Errorf("call %d: got %v, want %v", n, err, errCut)
				}
			}
		})
	}
}

// failCall fails the n-th call from now on, while left is n; none while it is 0.
func failCall(left *atomic.Int64) cloud.Hook {
	return func(_ context.Context, _ cloud.Call, send func() error) error {
		for n := left.Load(); n > 0; n = left.Load() {
			if left.CompareAndSwap(n, n-1) {
				if n == 1 {
					return errCut
				}
				break
			}
		}
		return send()
	}
}

// TestAFailingEraserKeepsTheMembership fails if a membership goes although what it leads to could not be removed.
func TestAFailingEraserKeepsTheMembership(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	removed, err := d.Erase(ctx, identity.Hash("a@example.com"), start, func(context.Context, network.Membership) error { return errCut })
	if removed != 0 || !errors.Is(err, errCut) {
		t.Errorf("removed %d, %v, want none and %v", removed, err, errCut)
	}
	d.mustMembership(candidateID(1))
}

// TestErasuresOfWhatIsAddedLater fails unless a membership goes that was added or submitted up to the erasure, and another one stays.
func TestErasuresOfWhatIsAddedLater(t *testing.T) {
	t.Parallel()
	const later = time.Millisecond
	for name, test := range map[string]struct {
		submitted, added time.Duration
		removed, kept    int
	}{
		"both at the time": {0, 0, 1, 0},
		"added later":      {0, later, 1, 0},
		"submitted later":  {later, 0, 1, 0},
		"both later":       {later, later, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			c := newCandidate("ada", "a")
			c.SubmittedAt = start.Add(test.submitted)
			d.mustIngest(c, candidateID(1), start.Add(test.added))
			removed, kept, err := d.EraseMembership(ctx, candidateID(1), start, forgetNothing)
			if must(t, err); removed != test.removed || kept != test.kept {
				t.Errorf("removed %d and kept %d, want %d and %d", removed, kept, test.removed, test.kept)
			}
			removed, err = d.Erase(ctx, identity.Hash(c.Email), start, forgetNothing)
			if must(t, err); removed != 0 || len(d.listRows("agy_1")) != test.kept {
				t.Errorf("removed %d more; %d rows are left, want %d", removed, len(d.listRows("agy_1")), test.kept)
			}
		})
	}
	removed, kept, err := newTestStore(t).EraseMembership(ctx, candidateID(1), start, forgetNothing)
	if err != nil || removed+kept != 0 {
		t.Errorf("without a membership: removed %d and kept %d, %v", removed, kept, err)
	}
}
