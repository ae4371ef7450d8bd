package entity

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Store writes and reads entities. It is safe for use by several goroutines.
type Store struct {
	table dynamo.Table
	write func() *dynamo.WriteTx
}

// Open opens the store by the names in the function's environment.
func Open(o *cloud.Opener) *Store { return NewStore(o.Table(topology.Marketplace), o.Write) }

// NewStore works on the table topology.Marketplace; write starts a transaction on the table's database.
func NewStore(table dynamo.Table, write func() *dynamo.WriteTx) *Store {
	return &Store{table: table, write: write}
}

// maxAttempts bounds the retries of a change after conflicts; each conflict is another change's success.
const maxAttempts = 50

var (
	// ErrContention reports too many concurrent updates of one entity. Retry later.
	ErrContention = errors.New("too many concurrent updates of the entity")
	// ErrTooLarge is content that no item can hold. No retry helps.
	ErrTooLarge = errors.New("the content is too large to be stored; send its long texts by dataRef or shorten them")
)

// maxBody is the size in bytes that the other attributes leave of an item's 400 KB.
const maxBody = 350 << 10

// Apply writes a change unless a version that is not lower is stored; applied
// reports whether this call changed anything. A change that concerns a person
// who was erased afterwards is stored as a deletion.
//
// An erasure that runs at the same time marks the person and then looks for copies. The commit has
// the condition that no tombstone exists. With PersonsUnconditional the tombstone is instead read again
// after the commit, and when an event is repeated because its worker died before that. So whichever
// comes second, the tombstone or the copy, finds the other.
func (s *Store) Apply(ctx context.Context, c Change) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Apply(key)")

	for n := range maxAttempts {
		var old State
		erased := false
		if n > 0 || !c.ExpectNew || len(c.Persons) > 0 {
			old, erased, err = s.readState(ctx, c)
			if err != nil {
				return false, err
			}
			if erased && old.Live() && old.Version == c.Version {
				return false, s.eraseVersion(ctx, c)
			}
			if old.Version >= c.Version {
				return false, nil
			}
		}
		err = s.commitChange(ctx, c, old, c.Version, erased || c.Next == nil)
		isUnchecked := c.PersonsUnconditional && len(c.Persons) > 0 && !erased
		if err == nil && isUnchecked {
			return true, s.eraseVersion(ctx, c)
		}
		if !dynamo.IsCondCheckFailed(err) {
			return err == nil, err
		}
	}
	return false, ErrContention
}

// eraseVersion erases the version that c has stored if one of c.Persons has been erased since.
func (s *Store) eraseVersion(ctx context.Context, c Change) error {
	_, err := s.eraseIf(ctx, c, func(stored State, erased bool) bool { return erased && stored.Version == c.Version })
	return err
}

// Erase replaces the entity by a tombstone regardless of its version, which it keeps. An entity of an event after c.At
// stays: an erasure covers events up to its time, and may be late or repeated. So does one to which none of
// c.Persons leads, if there are any.
func (s *Store) Erase(ctx context.Context, c Change) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Erase(key)")

	persons := c.Persons
	c.Persons = nil // whether or not they were erased before
	return s.eraseIf(ctx, c, func(stored State, _ bool) bool {
		isOne := func(hash string) bool { return slices.Contains(persons, hash) }
		isMeant := len(persons) == 0 || slices.ContainsFunc(stored.Persons(), isOne)
		return isMeant && stored.at <= c.At.UnixMilli()
	})
}

// eraseIf replaces the entity by a tombstone of its version if isMeant, which is told whether one of c.Persons was erased.
func (s *Store) eraseIf(ctx context.Context, c Change, isMeant func(stored State, erased bool) bool) (applied bool, err error) {
	for range maxAttempts {
		old, erased, err := s.readState(ctx, c)
		isLeft := !old.Live() || !isMeant(old, erased)
		if err != nil || isLeft {
			return false, err
		}
		err = s.commitChange(ctx, c, old, old.Version, true)
		if !dynamo.IsCondCheckFailed(err) {
			return err == nil, err
		}
	}
	return false, ErrContention
}

// commitChange writes the entity, its rows and the actions of the change, if the stored version is still old's.
func (s *Store) commitChange(ctx context.Context, c Change, old State, version int64, gone bool) error {
	var next NewState
	var err error
	switch {
	case !gone:
		next, err = c.Next(old)
		for _, hash := range c.Persons {
			next.Rows = append(next.Rows, RowOf(itemkey.PersonCopy, nil, hash, c.Key.PK, c.Key.SK, c.Key.Part))
			if !c.PersonsUnconditional {
				next.Actions = append(next.Actions, s.CheckNotErased(hash, c.At))
			}
		}
	case c.OnDelete != nil && old.Live():
		next.Actions, err = c.OnDelete(old)
	}
	if err != nil {
		return err
	}
	main, err := s.newUpdate(c.Key, version, gone, next)
	if err != nil {
		return err
	}
	setOrRemove(main, attributesOf(c.Key.Part).at, c.At.UnixMilli(), !gone && len(c.Persons) > 0)
	if first := next.FirstPart; first != nil && old.Version == 0 {
		body, err := encodeBody(first.Body)
		if err != nil {
			return err
		}
		a := attributesOf(first.Name)
		main.Set(a.version, first.Version).Set(a.body, body)
	}
	condition, args := unchanged(c.Key, old)
	main.If(condition, args...)
	if len(next.Rows)+len(old.rows)+len(next.Actions) == 0 {
		return main.Run(ctx)
	}
	tx := s.write().Idempotent(true).Update(main)
	if err := s.replaceRows(tx, old, next.Rows); err != nil {
		return err
	}
	for _, act := range next.Actions {
		act(tx)
	}
	return tx.Run(ctx)
}

// newUpdate returns the write of the entity's own item, without its condition.
func (s *Store) newUpdate(k Key, version int64, gone bool, next NewState) (*dynamo.Update, error) {
	body, err := encodeBody(next.Body)
	if err != nil {
		return nil, err
	}
	a := attributesOf(k.Part)
	u := s.table.Update(topology.PK, k.PK).Range(topology.SK, k.SK).Set(a.version, version)
	setOrRemove(u, a.body, body, body != nil)
	setOrRemove(u, a.gone, true, gone)
	setOrRemove(u, a.rows, rowNames(next.Rows), len(next.Rows) > 0)
	if k.Part == "" {
		setOrRemove(u, topology.DueIndex.Hash, Shards.Of(k.PK), !next.Due.IsZero())
		setOrRemove(u, topology.DueIndex.Range, next.Due.UnixMilli(), !next.Due.IsZero())
	}
	return u, nil
}

func setOrRemove(u *dynamo.Update, name string, value any, present bool) {
	if present {
		u.Set(name, value)
	} else {
		u.Remove(name)
	}
}

// replaceRows stores the rows that have a body or are new, and deletes those that the entity no longer has.
func (s *Store) replaceRows(tx *dynamo.WriteTx, old State, rows []Row) error {
	names := rowNames(rows)
	for _, name := range old.rows {
		if !slices.Contains(names, name) {
			pk, sk := splitRow(name)
			tx.Delete(s.table.Delete(topology.PK, pk).Range(topology.SK, sk))
		}
	}
	for i, r := range rows {
		if r.Body == nil && slices.Contains(old.rows, names[i]) {
			continue
		}
		item, err := r.newItem()
		if err != nil {
			return err
		}
		tx.Put(s.table.Put(item))
	}
	return nil
}

// Set stores content that has no rows and concerns no person, in one conditional
// write; nil or a nil pointer deletes it. It drops what is not newer, as Apply.
func (s *Store) Set(ctx context.Context, k Key, version int64, body any) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Set(key)")

	u, err := s.newUpdate(k, version, isNil(body), NewState{Body: body})
	if err != nil {
		return false, err
	}
	v := attributesOf(k.Part).version
	err = u.If("attribute_not_exists($) OR $ < ?", v, v, version).Run(ctx)
	return err == nil, cloud.IgnoreCondition(err)
}

// CountChange adds one to the version of an entity that has no content.
func (s *Store) CountChange(ctx context.Context, k Key) (err error) {
	defer fault.Wrap(&err, "entity.CountChange(key)")

	return s.newCount(k).Run(ctx)
}

// CountedChange returns the action that does what CountChange does in a transaction.
func (s *Store) CountedChange(k Key) Action {
	u := s.newCount(k)
	return func(tx *dynamo.WriteTx) { tx.Update(u) }
}

func (s *Store) newCount(k Key) *dynamo.Update {
	return s.table.Update(topology.PK, k.PK).Range(topology.SK, k.SK).Add(attributesOf(k.Part).version, 1)
}

func (s *Store) readState(ctx context.Context, c Change) (old State, erased bool, err error) {
	keys := []Key{c.Key}
	for _, hash := range c.Persons {
		keys = append(keys, KeyOf(itemkey.PersonTombstone, hash))
	}
	items, err := s.Items(cloud.Live(ctx), keys, true)
	if err != nil {
		return State{}, false, err
	}
	for _, item := range items {
		if item.PK == c.Key.PK && item.SK == c.Key.SK {
			old, err = item.State(c.Key.Part)
		} else {
			var tombstone State
			tombstone, err = item.State("")
			erased = erased || !time.UnixMilli(tombstone.at).Before(c.At)
		}
		if err != nil {
			return State{}, false, err
		}
	}
	return old, erased, nil
}

// Run runs actions in a transaction of their own.
func (s *Store) Run(ctx context.Context, actions ...Action) (err error) {
	defer fault.Wrap(&err, "entity.Run(keys)")

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

	u, err := s.newUpdate(k, read.Version+1, isNil(body), NewState{Body: body})
	if err != nil {
		return nil, err
	}
	condition, args := unchanged(k, read)
	return func(tx *dynamo.WriteTx) { tx.Update(u.If(condition, args...)) }, nil
}

// PutRow returns the action that writes a row of another entity, to be combined with its [Store.CheckUnchanged].
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
