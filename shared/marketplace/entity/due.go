package entity

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Due returns a walk through the items that are due at now, in pages of n keys, with parallel shards at a
// time. Writes to an item found this way must be conditional.
func (s *Store) Due(now time.Time, n, parallel int) *cloud.DueWalk {
	return cloud.DueQuery{Table: s.table, Shards: Shards.Names(), Now: now, Page: n, Parallel: parallel}.Begin()
}

// Revision is what time, and no event, makes of an entity: its version stays, so every later event still wins.
type Revision struct {
	Key Key
	// Old is the entity as it was read.
	Old State
	// Body is its new content.
	Body any
	// Rows are those of its rows that change with it; it keeps the names of all.
	Rows []Row
}

// Revise writes revisions of entities that are due, after which they are due no
// more, in one transaction: all of them, or none where it fails. It leaves out those
// that an event, an erasure or another revision came before, and returns how many it
// has made: of several that try, one makes it. Each is an action of the transaction,
// and one more for each of its rows; there may be 100.
func (s *Store) Revise(ctx context.Context, all []Revision) (done int, err error) {
	defer fault.Wrap(&err, "entity.Revise(keys)")

	for len(all) > 0 {
		tx := s.write().Idempotent(true)
		for _, r := range all {
			body, err := encodeBody(r.Body)
			if err != nil {
				return 0, err
			}
			a := attributesOf(r.Key.Part)
			index := topology.DueIndex
			tx.Update(s.table.Update(topology.PK, r.Key.PK).Range(topology.SK, r.Key.SK).Set(a.body, body).
				Remove(index.Hash, index.Range).If("$ = ? AND attribute_exists($)", a.version, r.Old.Version, index.Range))
			if err := s.replaceRows(tx, State{}, r.Rows); err != nil { // its actions have no conditions
				return 0, err
			}
		}
		err := tx.Run(ctx)
		if err == nil {
			return len(all), nil
		}
		var reasons []types.CancellationReason // of the actions, in their order
		if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
			reasons = cancelled.CancellationReasons
		}
		remaining := slices.DeleteFunc(slices.Clone(all), func(r Revision) bool {
			refused := len(reasons) > 0 && aws.ToString(reasons[0].Code) == "ConditionalCheckFailed"
			reasons = reasons[min(1+len(r.Rows), len(reasons)):]
			return refused
		})
		if len(remaining) == len(all) {
			return 0, err
		}
		all = remaining
	}
	return 0, nil
}

// MarkDue marks an entity that this project numbers as due, so that the sweeper looks at it.
// A Revision or ClearDue of a state read before then no longer applies.
func (s *Store) MarkDue(k Key) Action {
	u := s.newCount(k).Set(topology.DueIndex.Hash, Shards.Of(k.PK)).Set(topology.DueIndex.Range, 1)
	return func(tx *dynamo.WriteTx) { tx.Update(u) }
}

// ClearDue stores the content of an entity that can be marked, nil for none; it is due no
// more. It does nothing, and done is false, if the entity was marked or stored after it was read.
func (s *Store) ClearDue(ctx context.Context, k Key, read State, body any) (done bool, err error) {
	defer fault.Wrap(&err, "entity.ClearDue(key)")

	u, err := s.newUpdate(k, read.Version+1, isNil(body), NewState{Body: body})
	if err != nil {
		return false, err
	}
	condition, args := unchanged(k, read)
	err = u.If(condition, args...).Run(ctx)
	return err == nil, cloud.IgnoreCondition(err)
}

// The timing rule of all logs of changes: the catalogue's (package snapshot), and those of
// recruiters' CRMs (package crm).
//
// The key of an entry is the time at which its writer made it. The entry becomes visible when its
// transaction commits, which is later. A reader that asked only for entries after its last read
// would never see an entry made before that read and committed after it. So a writer commits an
// entry within CommitBound or not at all, and a reader reads again from RereadWindow before its
// last read on. The window must exceed the bound by as much as the clocks of writer and reader may
// differ.
//
// An entry is given its time when only the commit remains to be done. The commits of roles and of
// bases have the bound as their deadline; those of candidates end with the worker's invocation.
//
// Readers of the catalogue read most of the window only once a minute, and otherwise only a few
// seconds of it. So a role's change that took longer than PromptCommit to commit is entered a
// second time.
const (
	// CommitBound is how long after an entry is made it may be committed: the timeout of the worker, topology.Feed's.
	CommitBound = 60 * time.Second
	// PromptCommit is how soon after an entry is made it is normally committed.
	PromptCommit = 3 * time.Second
	// RereadWindow is how far before its last read a reader reads again.
	RereadWindow = CommitBound + 30*time.Second
)
