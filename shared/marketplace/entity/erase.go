package entity

import (
	"context"
	"iter"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// MarkErased marks a person as erased with all that happened up to at, before the
// copies are looked for: a change that concerns the person and is committed
// later is checked against the mark, so no copy slips in between.
func (s *Store) MarkErased(ctx context.Context, hash string, at time.Time) (err error) {
	defer fault.Wrap(&err, "entity.MarkErased(hash)")

	pk, sk := itemkey.PersonMark.Key(hash)
	return cloud.IgnoreCondition(s.table.Update(topology.PK, pk).Range(topology.SK, sk).Set(attrAt, at.UnixMilli()).
		If("attribute_not_exists($) OR $ < ?", attrAt, attrAt, at.UnixMilli()).Run(ctx))
}

// LinkErased stores, with the mark of a person, further identities that were found to be the
// person's: the repeat of an erasure that died could not find them again.
func (s *Store) LinkErased(ctx context.Context, hash string, linked ...string) (err error) {
	defer fault.Wrap(&err, "entity.LinkErased(hash)")

	pk, sk := itemkey.PersonMark.Key(hash)
	return s.table.Update(topology.PK, pk).Range(topology.SK, sk).AddStringsToSet("linked", linked...).Run(ctx)
}

// LinkedErased returns the identities that LinkErased has stored.
func (s *Store) LinkedErased(ctx context.Context, hash string) (_ []string, err error) {
	defer fault.Wrap(&err, "entity.LinkedErased(hash)")

	var mark personMark
	pk, sk := itemkey.PersonMark.Key(hash)
	err = s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, &mark)
	return mark.Linked, err
}

// Copies yields the entities that concern a person. They may be erased meanwhile.
func (s *Store) Copies(ctx context.Context, hash string) iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		for row, err := range s.Query(ctx, QueryOf(itemkey.PersonCopy, hash)) {
			fault.Wrap(&err, "entity.Copies(hash)")
			if k, ok := parsePersonRow(row.SK); (ok || err != nil) && !yield(k, err) {
				return
			}
		}
	}
}
