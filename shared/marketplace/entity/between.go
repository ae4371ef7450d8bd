package entity

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Between reads, consistently, the items of a partition whose sort keys lie
// between two, both included.
func (s *Store) Between(ctx context.Context, pk, from, to string) ([]Item, error) {
	var found []dynamo.Item
	err := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Between, from, to).Consistent(true).All(ctx, &found)
	return itemsOf(found, err)
}
