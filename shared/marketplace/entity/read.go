package entity

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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
	SK string
	// Written is the row's, where Written has found it.
	Written time.Time
	body    []byte
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
			if !yield(Found{SK: row.SK, body: row.Body}, nil) {
				return
			}
		}
		if it.Err() != nil {
			yield(Found{}, it.Err())
		}
	}
}

// Item is a stored item with all that it holds.
type Item struct {
	PK, SK string
	item   dynamo.Item
}

// State reads the entity of this part; "" for the item's only one.
func (i Item) State(part string) (State, error) { return stateOf(i.item, part) }

// Into reads the content of an item that is a row.
func (i Item) Into(out any) error {
	s, err := stateOf(i.item, "")
	if err != nil {
		return err
	}
	return s.Into(out)
}

// Partition reads all items of a partition consistently, in the order of their
// sort keys: what lies together, in one call.
func (s *Store) Partition(ctx context.Context, pk string) ([]Item, error) {
	var found []dynamo.Item
	err := s.table.Get(topology.PK, pk).Consistent(true).All(ctx, &found)
	return itemsOf(found, err)
}

// Items reads items by key, 100 a call; what is not there is left out. live reads
// consistently, at twice the price.
func (s *Store) Items(ctx context.Context, keys []Key, live bool) ([]Item, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	all := make([]dynamo.Keyed, len(keys))
	for i, k := range keys {
		all[i] = dynamo.Keys{k.PK, k.SK}
	}
	var found []dynamo.Item
	err := s.table.Batch(topology.PK, topology.SK).Get(all...).Consistent(live).All(ctx, &found)
	return itemsOf(found, err)
}

func itemsOf(found []dynamo.Item, err error) ([]Item, error) {
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	items := make([]Item, len(found))
	for i, item := range found {
		var key rowItem
		if err := dynamo.UnmarshalItem(item, &key); err != nil {
			return nil, err
		}
		items[i] = Item{key.PK, key.SK, item}
	}
	return items, nil
}

// Last reads at most limit rows of a partition from the end of its order.
func (s *Store) Last(ctx context.Context, pk string, limit int) ([]Found, error) {
	var rows []rowItem
	err := s.table.Get(topology.PK, pk).Order(dynamo.Descending).SearchLimit(limit).Consistent(true).All(ctx, &rows)
	found := make([]Found, len(rows))
	for i, r := range rows {
		found[i] = Found{SK: r.SK, body: r.Body}
	}
	return found, err
}
