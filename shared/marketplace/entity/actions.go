package entity

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Run runs actions in a transaction of their own.
func (s *Store) Run(ctx context.Context, actions ...Action) (err error) {
	defer fault.Wrap(&err, "entity.Run")

	tx := s.write().Idempotent(true)
	for _, act := range actions {
		act(tx)
	}
	return tx.Run(ctx)
}

// CheckUnchanged returns the condition that the entity is still as it was read.
func (s *Store) CheckUnchanged(k Key, read State) Action {
	condition, args := unchanged(k, read)
	check := s.table.Check(topology.PK, k.PK).Range(topology.SK, k.SK).If(condition, args...)
	return func(tx *dynamo.WriteTx) { tx.Check(check) }
}

// Replace returns the action that stores new content of an entity that this project numbers, not
// the app (a count, a mark), on the condition that it has not changed since it was read.
func (s *Store) Replace(k Key, read State, body any) (_ Action, err error) {
	defer fault.Wrap(&err, "entity.Replace(key)")

	u, err := s.newContent(k, read.Version+1, body)
	if err != nil {
		return nil, err
	}
	condition, args := unchanged(k, read)
	return func(tx *dynamo.WriteTx) { tx.Update(u.If(condition, args...)) }, nil
}

// PutRow returns the action that writes a row of another entity. Combine it with
// [Store.CheckUnchanged] of that entity.
func (s *Store) PutRow(r Row) (_ Action, err error) {
	defer fault.Wrap(&err, "entity.PutRow(row)")

	item, err := r.newItem()
	if err != nil {
		return nil, err
	}
	put := s.table.Put(item)
	return func(tx *dynamo.WriteTx) { tx.Put(put) }, nil
}

// unchanged returns the condition that the entity is still as it was read, with its arguments. An erasure keeps the version.
func unchanged(k Key, read State) (condition string, args []any) {
	a := attributesOf(k.Part)
	switch {
	case read.Version == 0:
		return "attribute_not_exists($)", []any{a.version}
	case read.Deleted:
		return "$ = ? AND attribute_exists($)", []any{a.version, read.Version, a.gone}
	}
	return "$ = ? AND attribute_not_exists($)", []any{a.version, read.Version, a.gone}
}
