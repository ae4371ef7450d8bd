package entity

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Get reads an entity's state consistently; Version is 0 when nothing is stored.
func (s *Store) Get(ctx context.Context, k Key) (State, error) {
	states, err := s.Parts(ctx, k, k.Part)
	return states[k.Part], err
}

// Parts reads several entities of one item consistently, by the names of their parts.
func (s *Store) Parts(ctx context.Context, k Key, parts ...string) (map[string]State, error) {
	var item dynamo.Item
	err := s.table.Get(topology.PK, k.PK).Range(topology.SK, dynamo.Equal, k.SK).Consistent(true).One(ctx, &item)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	states := map[string]State{}
	for _, part := range parts {
		if states[part], err = stateOf(item, part); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// Found is a row that a list has read.
type Found struct {
	SK   string
	body []byte
}

// Into reads the row's content.
func (f Found) Into(out any) error {
	if len(f.body) == 0 {
		return nil
	}
	return json.Unmarshal(f.body, out)
}

// Rows reads, consistently and in the order of their sort keys, the rows of a
// partition that begin with prefix and come after the sort key from ("": all).
func (s *Store) Rows(ctx context.Context, pk, prefix, from string) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		q := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.BeginsWith, prefix).Consistent(true)
		if from != "" {
			start, err := dynamo.MarshalItem(rowItem{PK: pk, SK: from})
			if err != nil {
				yield(Found{}, err)
				return
			}
			q.StartFrom(start)
		}
		it := q.Iter()
		for row := (rowItem{}); it.Next(ctx, &row); row = (rowItem{}) {
			if !yield(Found{row.SK, row.Body}, nil) {
				return
			}
		}
		if it.Err() != nil {
			yield(Found{}, it.Err())
		}
	}
}
