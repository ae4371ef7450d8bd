package entity

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// PersonHashes hashes the e-mail addresses and LinkedIn URLs among references, in any spelling, and passes over the rest.
func PersonHashes(references ...*string) []string {
	var all []string
	for _, r := range references {
		if r == nil {
			continue
		}
		if canonical, ok := identity.Email(*r); ok {
			all = append(all, identity.Hash(canonical))
		} else if canonical, ok := identity.LinkedIn(*r); ok {
			all = append(all, identity.Hash(canonical))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// attrAt is the attribute, in epoch milliseconds, of the time up to which a person was erased, or of an entity's event.
const attrAt = "at"

// Persons returns the hashes of the persons who lead to the entity.
func (s State) Persons() (hashes []string) {
	for _, name := range s.rows {
		if person, leadsHere := itemkey.PersonCopy.Parse(splitRow(name)); leadsHere {
			hashes = append(hashes, person[0])
		}
	}
	return hashes
}

// CheckNotErased returns the condition that a person's erasure, if any, was before at.
func (s *Store) CheckNotErased(hash string, at time.Time) Action {
	return func(tx *dynamo.WriteTx) {
		pk, sk := itemkey.PersonTombstone.Key(hash)
		tx.Check(s.table.Check(topology.PK, pk).Range(topology.SK, sk).
			If("attribute_not_exists($) OR $ < ?", attrAt, attrAt, at.UnixMilli()))
	}
}

// IsErased reports whether an erasure of one of the hashes covers an event of the time at.
func (s *Store) IsErased(ctx context.Context, hashes []string, at time.Time) (_ bool, err error) {
	defer fault.Wrap(&err, "entity.IsErased(hashes)")

	_, erased, err := s.readState(ctx, Change{Stamp: Stamp{At: at}, Persons: hashes, Key: KeyOf(itemkey.PersonTombstone, "")})
	return erased, err
}

// MarkErased marks a person as erased, with all events up to the time at, before the
// copies are looked for: a change that concerns the person and is committed
// later is checked against the tombstone, so no copy slips in between.
func (s *Store) MarkErased(ctx context.Context, hash string, at time.Time) (err error) {
	defer fault.Wrap(&err, "entity.MarkErased(hash)")

	pk, sk := itemkey.PersonTombstone.Key(hash)
	return cloud.IgnoreCondition(s.table.Update(topology.PK, pk).Range(topology.SK, sk).Set(attrAt, at.UnixMilli()).
		If("attribute_not_exists($) OR $ < ?", attrAt, attrAt, at.UnixMilli()).Run(ctx))
}

// LinkErased stores, with the tombstone of a person, further identities that were found to be the
// person's: the repeat of an erasure that died could not find them again.
func (s *Store) LinkErased(ctx context.Context, hash string, linked ...string) (err error) {
	defer fault.Wrap(&err, "entity.LinkErased(hash)")

	pk, sk := itemkey.PersonTombstone.Key(hash)
	return s.table.Update(topology.PK, pk).Range(topology.SK, sk).AddStringsToSet("linked", linked...).Run(ctx)
}

// LinkedErased returns the identities that LinkErased has stored.
func (s *Store) LinkedErased(ctx context.Context, hash string) (_ []string, err error) {
	defer fault.Wrap(&err, "entity.LinkedErased(hash)")

	var tombstone struct {
		Linked []string `dynamo:"linked,set,omitempty"`
	}
	pk, sk := itemkey.PersonTombstone.Key(hash)
	err = s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, &tombstone)
	return tombstone.Linked, err
}

// Copies yields the entities that concern a person. They may be erased meanwhile.
func (s *Store) Copies(ctx context.Context, hash string) iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		for row, err := range s.Query(ctx, QueryOf(itemkey.PersonCopy, hash)) {
			fault.Wrap(&err, "entity.Copies(hash)")
			var k Key
			if values, ok := itemkey.PersonCopy.ParseSK(row.SK); ok {
				k = Key{values[0], values[1], values[2]}
			}
			if !yield(k, err) {
				return
			}
		}
	}
}
