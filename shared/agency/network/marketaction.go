package network

import (
	"context"
	"maps"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// OffMarket takes off the market every membership of the tenant that the references lead to, and
// pre-excludes identities that lead to none. The results are aligned with the references, and have their indexes, statuses
// and memberships, ordered as in Found.
func (s *Store) OffMarket(
	ctx context.Context, t tenant.ID, refs []contract.CandidateReference, check OwnerCheck, w Write,
) (_ []contract.MarketResult, err error) {
	defer fault.Wrap(&err, "network.OffMarket(tenant, references)")

	a := &marketAction{Store: s, write: w, excludes: true, results: map[string]contract.ResultStatus{}}
	a.move = func(m Market) (Market, contract.ResultStatus) { return m.TakeOff(w.statement(m.Stated)) }
	return a.run(ctx, t, refs, check)
}

// ReEnable puts back on the market every membership of the tenant that the references lead to and that
// can be. The results are as those of [Store.OffMarket].
func (s *Store) ReEnable(
	ctx context.Context, t tenant.ID, refs []contract.CandidateReference, check OwnerCheck, w Write,
) (_ []contract.MarketResult, err error) {
	defer fault.Wrap(&err, "network.ReEnable(tenant, references)")

	a := &marketAction{Store: s, write: w, results: map[string]contract.ResultStatus{}}
	a.move = func(m Market) (Market, contract.ResultStatus) {
		return m.ReEnable(w.statement(m.Stated), s.eligibility)
	}
	return a.run(ctx, t, refs, check)
}

// marketAction is one request's market change. Each membership is acted on once, however
// many references lead to it, so every outcome is judged by the state before.
type marketAction struct {
	*Store
	write Write
	move  func(Market) (Market, contract.ResultStatus)
	// excludes says that identities that lead to no membership are pre-excluded.
	excludes bool
	// results are by the key of the membership or identity: of all that were written, and of those erased meanwhile.
	results map[string]contract.ResultStatus
}

// run acts on what the references lead to. If another request changed an identity that led to no membership, it sees where
// the identity leads now.
func (a *marketAction) run(
	ctx context.Context, t tenant.ID, refs []contract.CandidateReference, check OwnerCheck,
) ([]contract.MarketResult, error) {
	for range maxRounds {
		found, err := a.Resolve(ctx, t, refs, check)
		if err != nil {
			return nil, err
		}
		tasks := a.pendingTasks(found)
		keys := slices.Collect(maps.Keys(tasks))
		results := make([]contract.ResultStatus, len(keys))
		err = cloud.EachUntilError(ctx, maxParallelWrites, keys, func(ctx context.Context, n int, key string) (err error) {
			results[n], err = tasks[key](ctx)
			return err
		})
		for n, key := range keys {
			if results[n] != "" {
				a.results[key] = results[n]
			}
		}
		if err == nil && slices.Contains(results, "") {
			continue
		}
		outcomes := make([]contract.MarketResult, len(found))
		for i, f := range found {
			outcomes[i] = a.outcomeOf(f)
			outcomes[i].Index = i
		}
		return outcomes, err
	}
	return nil, errContention
}

// task is one write of a market action. Its result is "" if an identity to exclude has changed since it was read.
type task = func(context.Context) (contract.ResultStatus, error)

// pendingTasks returns the writes of what was found and has no result yet, by key.
func (a *marketAction) pendingTasks(found []Found) map[string]task {
	tasks := map[string]task{}
	for _, f := range found {
		for _, m := range f.Memberships {
			tasks[membershipKey(m.ID)] = func(ctx context.Context) (result contract.ResultStatus, err error) {
				_, err = a.changeMarket(ctx, m, a.write, func(before Market) (after Market) {
					after, result = a.move(before)
					return after
				})
				if fault.IsMissing(err) {
					return contract.ResultNotFound, nil // erased since it was listed: nothing was acted on
				}
				return result, err
			}
		}
		if a.excludes && f.identity != nil && len(f.Memberships) == 0 {
			tasks[f.identity.Key] = func(ctx context.Context) (contract.ResultStatus, error) { return a.excludeOne(ctx, f) }
		}
	}
	maps.DeleteFunc(tasks, func(key string, _ task) bool { return a.results[key] != "" })
	return tasks
}

// excludeOne pre-excludes an identity, and then those of its invisible memberships that were not submitted later: their
// owners may become active.
func (a *marketAction) excludeOne(ctx context.Context, f Found) (contract.ResultStatus, error) {
	at := laterOf(a.write.Now, cloud.FromMillis(max(f.identity.Excluded, f.identity.Restored))) // a clock may be behind
	for _, m := range f.invisible {
		at = laterOf(at, m.SubmittedAt)
	}
	exclusion := a.updateIdentity(*f.identity).Set("excluded", cloud.ToMillis(at))
	if f.identity.Version == 0 {
		exclusion.If("attribute_not_exists(pk)")
	} else {
		exclusion.If("version = ?", f.identity.Version)
	}
	if err := exclusion.Run(ctx); err != nil { // an identity that has changed since may lead to a membership
		return "", cloud.IgnoreCondition(err)
	}
	return contract.ResultPreExcluded, cloud.ForEach(maxParallelWrites, f.invisible, func(_ int, m Membership) error {
		_, err := a.changeMembership(ctx, m, a.write, func(m *Membership) {
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

// precedence orders results: the first that a reference's memberships have is the reference's.
var precedence = []contract.ResultStatus{
	contract.ResultOffMarket, contract.ResultAlreadyOffMarket,
	contract.ResultOnMarket, contract.ResultAlreadyOnMarket, contract.ResultPreExcluded, contract.ResultLocked,
	contract.ResultNotFound,
}

func (a *marketAction) outcomeOf(f Found) (o contract.MarketResult) {
	o.Status = contract.ResultNotFound
	for _, m := range f.Memberships {
		r := a.results[membershipKey(m.ID)]
		if r == "" || r == contract.ResultNotFound {
			continue
		}
		o.CandidateUserIDs = append(o.CandidateUserIDs, m.ID)
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
