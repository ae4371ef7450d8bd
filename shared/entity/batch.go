package entity

import (
	"context"
	"errors"
	"sync"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Item is an item as it was read, with all entities that share it.
type Item struct {
	Key
	raw dynamo.Item
}

// Part gives one of the entities; "" is the item's only one, or a row's content.
func (i Item) Part(name string) (State, error) { return stateOf(i.raw, name) }

// batch is how many items one call reads.
const batch = 100

// Batch reads items by their keys, whose parts are passed over; those that are
// not there are left out. Without consistent the answer may be some moments old.
func (s *Store) Batch(ctx context.Context, keys []Key, consistent bool) (map[Key]Item, error) {
	found := map[Key]Item{}
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	for from := 0; from < len(keys); from += batch {
		var wanted []dynamo.Keyed
		for _, k := range keys[from:min(from+batch, len(keys))] {
			wanted = append(wanted, dynamo.Keys{k.PK, k.SK})
		}
		g.Go(func() error {
			var raw []dynamo.Item
			err := s.table.Batch(topology.PK, topology.SK).Get(wanted...).Consistent(consistent).All(gctx, &raw)
			if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, one := range raw {
				i, err := itemOf(one)
				if err != nil {
					return err
				}
				found[i.Key] = i
			}
			return nil
		})
	}
	return found, g.Wait()
}

// Between reads, consistently, the items of a partition whose sort keys lie
// between two, both included.
func (s *Store) Between(ctx context.Context, pk, from, to string) ([]Item, error) {
	return items(ctx, s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Between, from, to).Consistent(true))
}

// Partition reads, consistently, all items of a partition.
func (s *Store) Partition(ctx context.Context, pk string) ([]Item, error) {
	return items(ctx, s.table.Get(topology.PK, pk).Consistent(true))
}

// Last reads, consistently, the last n items of a partition, the last one first.
func (s *Store) Last(ctx context.Context, pk string, n int) ([]Item, error) {
	return items(ctx, s.table.Get(topology.PK, pk).Order(dynamo.Descending).Consistent(true).Limit(n))
}

func items(ctx context.Context, q *dynamo.Query) ([]Item, error) {
	var raw []dynamo.Item
	if err := q.All(ctx, &raw); err != nil {
		return nil, err
	}
	all := make([]Item, 0, len(raw))
	for _, one := range raw {
		i, err := itemOf(one)
		if err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

func itemOf(raw dynamo.Item) (Item, error) {
	i := Item{raw: raw}
	return i, errors.Join(dynamo.Unmarshal(raw[topology.PK], &i.PK), dynamo.Unmarshal(raw[topology.SK], &i.SK))
}
