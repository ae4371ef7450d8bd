package network_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// withSharedAddress returns a store with n persons of several owners who have the address "a".
func withSharedAddress(t *testing.T, n int) testStore {
	t.Helper()
	d := newTestStore(t)
	for i := range n {
		d.mustIngest(newSharer(i, 0), candidateID(i), start)
	}
	return d
}

// newSharer returns the n-th person with the address "a", submitted some time after the start.
func newSharer(n int, after time.Duration) network.Candidate {
	c := newCandidate(fmt.Sprint("p", n), "a")
	c.OwnerID = fmt.Sprint("mem_", n%3)
	c.SubmittedAt = start.Add(after)
	return c
}

// However many persons share an address, a submission writes items of at most one kilobyte for it,
// and the address leads to all of them.
func TestASharedAddress(t *testing.T) {
	t.Parallel()
	const persons = 60
	d := withSharedAddress(t, persons)
	d.mustIngest(newSharer(persons-1, time.Hour), candidateID(99), start.Add(time.Hour))
	var items []dynamo.Item
	must(t, d.table.Get(topology.PK, "A#agy_1#em#a@example.com").Consistent(true).All(ctx, &items))
	for _, item := range items {
		if size := itemSize(item); size > 1024 {
			t.Errorf("an item of %d bytes: %v", size, item)
		}
	}
	if ids := d.idsOf(emailReference("a")); len(ids) != persons || ids[persons-1] != candidateID(persons-1) {
		t.Errorf("the address leads to %v, want %d memberships", ids, persons)
	}
}

// A pre-exclusion reaches all memberships of an address that many persons share.
func TestExclusionOfAnAddressOfMany(t *testing.T) {
	t.Parallel()
	const persons = 30
	d := withSharedAddress(t, persons)
	excluded := start.Add(time.Minute)
	_, err := d.OffMarket(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, noOwners, network.Write{Now: excluded, ID: "off"})
	must(t, err)
	for n := range persons {
		if m := d.mustMembership(candidateID(n)).Market; !m.ExcludedAt.Equal(excluded) {
			t.Errorf("person %d is excluded since %v, want %v", n, m.ExcludedAt, excluded)
		}
	}
}

// The erasure of one of many persons with an address leaves the others, by the LinkedIn URL, and
// that of the address leaves nothing.
func TestErasureOfASharedAddress(t *testing.T) {
	t.Parallel()
	const persons = 30
	d := withSharedAddress(t, persons)
	forget := func(context.Context, network.Membership) error { return nil }
	later := start.Add(time.Hour)
	for _, n := range []int{0, persons - 1} { // of the first and of the last that were added
		removed, err := d.Erase(ctx, identity.Hash(fmt.Sprint("https://www.linkedin.com/in/p", n)), later, forget)
		if must(t, err); removed != 1 {
			t.Errorf("person %d: erased %d memberships, want 1", n, removed)
		}
	}
	ids := d.idsOf(emailReference("a"))
	if len(ids) != persons-2 || ids[0] != candidateID(1) {
		t.Errorf("the address leads to %v, want the %d others", ids, persons-2)
	}
	d.mustIngest(newSharer(persons-2, time.Minute), candidateID(99), start)
	if again := d.idsOf(emailReference("a")); !slices.Equal(ids, again) {
		t.Errorf("after one was submitted again the address leads to %v, want %v", again, ids)
	}
	shared, err := d.LeadsToMember(ctx, identity.Hash("a@example.com"))
	if must(t, err); !shared {
		t.Error("the address leads to no member")
	}
	removed, err := d.Erase(ctx, identity.Hash("a@example.com"), later, forget)
	if must(t, err); removed != persons-2 {
		t.Errorf("erased %d memberships, want %d", removed, persons-2)
	}
	var left []map[string]any
	if must(t, d.table.Scan().All(ctx, &left)); len(left) != 0 {
		t.Errorf("%d items are left: %v", len(left), left)
	}
}

// TestAFailedReadOfSharedLinksKeepsTheAddress fails if an address is deleted, to which only its further items lead, because these could
// not be read after an erasure.
func TestAFailedReadOfSharedLinksKeepsTheAddress(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	d := newTestStore(t, failCall(&left))
	const persons, own = 12, 10
	for n := range persons {
		d.mustIngest(newSharer(n, 0), candidateID(n), start)
	}
	for n := range own {
		if n == own-1 {
			left.Store(6) // it reads the membership, its identities and the links, writes, and reads the last two again
		}
		_, _, err := d.EraseMembership(ctx, candidateID(n), start.Add(time.Hour), forgetNothing)
		if n < own-1 {
			must(t, err)
		} else if !errors.Is(err, errCut) {
			t.Errorf("got %v, want %v", err, errCut)
		}
	}
	shared, err := d.LeadsToMember(ctx, identity.Hash("a@example.com"))
	if must(t, err); !shared {
		t.Error("the address leads to no member")
	}
}
