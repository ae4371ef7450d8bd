package entity

import (
	"context"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Erased marks a person as erased with all that happened up to at, before the
// copies are looked for: a change that tells of the person and is committed
// later is checked against the mark, so no copy slips in between.
func (s *Store) Erased(ctx context.Context, hash string, at time.Time) error {
	err := s.table.Update(topology.PK, personKey(hash)).Range(topology.SK, receiptSK).Set(attrAt, at.UnixMilli()).
		If("attribute_not_exists($) OR $ < ?", attrAt, attrAt, at.UnixMilli()).Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return nil
	}
	return err
}

// Copies lists the entities that tell of a person, at most limit of them. Erasing
// one takes it off the list.
func (s *Store) Copies(ctx context.Context, hash string, limit int) ([]Key, error) {
	var keys []Key
	for row, err := range s.Rows(ctx, personKey(hash), "X|", "") {
		if err != nil {
			return nil, err
		}
		if k, ok := keyOfPersonRow(row.SK); ok {
			keys = append(keys, k)
		}
		if len(keys) == limit {
			break
		}
	}
	return keys, nil
}
