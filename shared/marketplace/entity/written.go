package entity

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Written reads, consistently, the rows of a partition whose Written is at a time
// or later. Rows that are gone are not among them.
func (s *Store) Written(ctx context.Context, pk string, since time.Time) ([]Found, error) {
	index := topology.ChangedIndex
	var found []rowItem
	err := s.table.Get(index.Hash, pk).Index(index.Name).Range(index.Range, dynamo.GreaterOrEqual, since.UnixMilli()).
		Consistent(true).All(ctx, &found)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	rows := make([]Found, len(found))
	for i, row := range found {
		rows[i] = Found{SK: row.SK, Written: time.UnixMilli(row.Changed), body: row.Body}
	}
	return rows, err
}
