package network_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Persons of so many owners that one call cannot read their memberships cost as
// many waves as others: what takes three calls takes them side by side.
func TestPersonsOfManyOwners(t *testing.T) {
	t.Parallel()
	const owners, persons = 50, 5
	side := &barrier{}
	d := newTestStore(t, side.hook)
	for n := range owners * persons {
		c := newCandidate(fmt.Sprint("p", n/owners), fmt.Sprint("m", n/owners))
		c.OwnerID = fmt.Sprint("mem_", n%owners)
		d.mustIngest(c, candidateID(n), start)
	}
	var refs []contract.CandidateReference
	for n := range persons {
		refs = append(refs, emailReference(fmt.Sprint("m", n)))
	}
	d.calls.Reset()
	const before = 1 + persons // the addresses, and the links of each
	side.expectCalls(before, 3)
	found, err := d.Resolve(ctx, "agy_1", refs, allOwners)
	must(t, err)
	if calls := d.calls.Reset(); len(calls) != before+3 {
		t.Errorf("got the calls %v, want %d", calls, before+3)
	}
	seen := map[string]bool{}
	for _, f := range found {
		for _, m := range f.Memberships {
			seen[m.ID] = true
		}
	}
	if len(seen) != owners*persons {
		t.Errorf("found %d memberships, want %d", len(seen), owners*persons)
	}
}

// barrier is a hook that lets calls happen when as many are there as expected.
type barrier struct {
	// before is the number of calls that pass first.
	before atomic.Int64
	all    *sync.WaitGroup
}

// expectCalls lets calls pass, and then n happen together.
func (g *barrier) expectCalls(before int64, n int) {
	g.before.Store(before)
	g.all = &sync.WaitGroup{}
	g.all.Add(n)
}

func (g *barrier) hook(ctx context.Context, _ cloud.Call, send func() error) error {
	if g.all == nil || g.before.Add(-1) >= 0 {
		return send()
	}
	here := make(chan struct{})
	g.all.Done()
	go func() { g.all.Wait(); close(here) }()
	select {
	case <-here:
		return send()
	case <-time.After(time.Minute): // a guard against hanging
		return context.DeadlineExceeded
	}
}
