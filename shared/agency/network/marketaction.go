package network

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Outcome is what became of one reference.
type Outcome struct {
	Status contract.ResultStatus
	// IDs are the memberships that the reference leads to, ordered as in Found.
	IDs []string
}

// maxParallelWrites bounds how many memberships of a request are written at a time.
const maxParallelWrites = 16

// OffMarket takes off the market every membership that the search leads to, and
// pre-excludes identities that lead to none. Outcomes are aligned with the references.
func (s *Store) OffMarket(ctx context.Context, q *Search, check OwnerCheck, w Write) (_ []Outcome, err error) {
	defer fault.Wrap(&err, "network.OffMarket")

	a := s.newMarketAction(w, func(m Market) (Market, contract.ResultStatus) { return m.TakeOff(w.statement(m.Stated)) })
	a.excludes = true
	for range maxRounds {
		found, err := q.Resolve(ctx, check)
		if err != nil {
			return nil, err
		}
		moved, err := a.writeAll(ctx, found)
		if err != nil || !moved {
			return a.allOutcomes(found), err
		}
		// Another request changed an identity that led to no membership: see where it leads now.
	}
	return nil, errContention
}

// ReEnable puts back on the market every membership that the search leads to and that
// can be. Outcomes are aligned with the references.
func (s *Store) ReEnable(ctx context.Context, q *Search, check OwnerCheck, w Write) (_ []Outcome, err error) {
	defer fault.Wrap(&err, "network.ReEnable")

	found, err := q.Resolve(ctx, check)
	if err != nil {
		return nil, err
	}
	a := s.newMarketAction(w, func(m Market) (Market, contract.ResultStatus) {
		return m.ReEnable(w.statement(m.Stated), s.eligibility)
	})
	_, err = a.writeAll(ctx, found)
	return a.allOutcomes(found), err
}

// marketAction is one request's market change. Each membership is acted on once, however
// many references lead to it, so every outcome is judged by the state before.
type marketAction struct {
	*Store
	write Write
	move  func(Market) (Market, contract.ResultStatus)
	// excludes says that identities that lead to no membership are pre-excluded.
	excludes bool

	mu sync.Mutex
	// results are by the key of the membership or identity that was written.
	results map[string]contract.ResultStatus
	// moved says that an identity to exclude has changed since it was read.
	moved bool
}

func (s *Store) newMarketAction(w Write, move func(Market) (Market, contract.ResultStatus)) *marketAction {
	return &marketAction{Store: s, write: w, move: move, results: map[string]contract.ResultStatus{}}
}

// writeAll writes what was found and has no result yet. It reports whether an identity
// to exclude had moved.
func (a *marketAction) writeAll(ctx context.Context, found []Found) (moved bool, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallelWrites)
	a.moved = false
	for _, task := range a.pendingTasks(ctx, found) {
		group.Go(task)
	}
	err = group.Wait()
	return a.moved, err
}

// pendingTasks returns what is to be written, by key.
func (a *marketAction) pendingTasks(ctx context.Context, found []Found) map[string]func() error {
	tasks := map[string]func() error{}
	for _, f := range found {
		for _, m := range f.Memberships {
			tasks[membershipKey(m.ID)] = func() error { return a.moveOne(ctx, m) }
		}
		if a.excludes && f.identity != nil && len(f.Memberships) == 0 {
			tasks[f.identity.key] = func() error { return a.excludeOne(ctx, f) }
		}
	}
	for key := range a.results {
		delete(tasks, key)
	}
	return tasks
}

func (a *marketAction) moveOne(ctx context.Context, m Membership) error {
	var result contract.ResultStatus
	_, err := a.changeMarket(ctx, m, a.write, func(before Market) (after Market) {
		after, result = a.move(before)
		return after
	})
	if fault.IsMissing(err) {
		return nil // erased since it was listed: nothing was acted on
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.results[membershipKey(m.ID)] = result
	return err
}

// excludeOne pre-excludes an identity, and then its invisible memberships: their owners may become
// active later.
func (a *marketAction) excludeOne(ctx context.Context, f Found) error {
	at := laterOf(a.write.Now, laterOf(f.identity.excluded, f.identity.restored)) // a clock may be behind
	for _, m := range f.invisible {
		at = laterOf(at, m.SubmittedAt)
	}
	done, err := a.excludeIdentity(ctx, *f.identity, at)
	if done {
		err = a.excludeMemberships(ctx, f.invisible, a.write, at)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.moved = a.moved || !done
	if done {
		a.results[f.identity.key] = contract.ResultPreExcluded
	}
	return err
}

// excludeMemberships pre-excludes memberships, as they were read, that were not submitted after at.
func (s *Store) excludeMemberships(ctx context.Context, members []Membership, w Write, at time.Time) error {
	return cloud.ForEach(maxParallelWrites, members, func(_ int, m Membership) error {
		_, err := s.changeMembership(ctx, m, w, func(m *Membership) {
			if !m.SubmittedAt.After(at) {
				m.Market = m.Market.Exclude(at)
			}
		})
		if fault.IsMissing(err) {
			return nil // erased since it was found
		}
		return err
	})
}

// precedence orders the results of a reference's memberships: the first one that occurs is the
// reference's.
var precedence = []contract.ResultStatus{
	contract.ResultOffMarket, contract.ResultAlreadyOffMarket,
	contract.ResultOnMarket, contract.ResultAlreadyOnMarket, contract.ResultPreExcluded, contract.ResultLocked,
	contract.ResultNotFound,
}

func (a *marketAction) allOutcomes(found []Found) []Outcome {
	outcomes := make([]Outcome, len(found))
	for i, f := range found {
		outcomes[i] = a.outcomeOf(f)
	}
	return outcomes
}

func (a *marketAction) outcomeOf(f Found) Outcome {
	o := Outcome{Status: contract.ResultNotFound}
	for _, m := range f.Memberships {
		r, acted := a.results[membershipKey(m.ID)]
		if !acted {
			continue
		}
		o.IDs = append(o.IDs, m.ID)
		if slices.Index(precedence, r) < slices.Index(precedence, o.Status) {
			o.Status = r
		}
	}
	isUnknown := len(f.Memberships) == 0 && f.identity != nil
	if isUnknown && (a.excludes || !f.identity.exclusion().IsZero()) {
		o.Status = contract.ResultPreExcluded
	}
	return o
}
