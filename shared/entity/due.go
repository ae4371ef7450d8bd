package entity

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Due reads what is due at a time in one of the Shards of the index, in pages of up
// to n keys. The index follows a moment later than its items, so an item can be
// named that is not due any more: what is done with it must be a condition.
func (s *Store) Due(ctx context.Context, shard int, now time.Time, n int) iter.Seq2[[]Key, error] {
	index := topology.DueIndex
	return func(yield func([]Key, error) bool) {
		q := s.table.Get(index.Hash, strconv.Itoa(shard)).Index(index.Name).Range(index.Range, dynamo.LessOrEqual, now.UnixMilli())
		var from dynamo.PagingKey
		for {
			var found []rowItem
			next, err := q.StartFrom(from).SearchLimit(n).AllWithLastEvaluatedKey(ctx, &found)
			keys := make([]Key, len(found))
			for i, row := range found {
				keys[i] = Key{PK: row.PK, SK: row.SK}
			}
			if !yield(keys, err) || err != nil || len(next) == 0 {
				return
			}
			from = next
		}
	}
}

// Revision is what time, and no event, makes of an entity: its version stays, so
// that every later event still wins.
type Revision struct {
	Key Key
	// Old is the entity as it was read.
	Old State
	// Body is its new content.
	Body any
	// Put are rows of it to write; those of Drop go.
	Put, Drop []Row
}

// Revise makes a revision of an entity that is due, after which it is due no more.
// It does nothing, and says so, if an event, an erasure or another revision came
// first: of several that try, one does it.
func (s *Store) Revise(ctx context.Context, r Revision) (done bool, err error) {
	body, err := encode(r.Body)
	if err != nil {
		return false, err
	}
	dropped := rowNames(r.Drop)
	names := slices.DeleteFunc(slices.Clone(r.Old.rows), func(n string) bool { return slices.Contains(dropped, n) })
	for _, n := range rowNames(r.Put) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	a, index := attributes(r.Key.Part), topology.DueIndex
	u := s.table.Update(topology.PK, r.Key.PK).Range(topology.SK, r.Key.SK).Set(a.body, body).
		Remove(index.Hash, index.Range).If("$ = ? AND attribute_exists($)", a.version, r.Old.Version, index.Range)
	set(u, a.rows, names, len(names) > 0)
	tx := s.write().Idempotent(true).Update(u)
	for _, row := range r.Drop {
		tx.Delete(s.table.Delete(topology.PK, row.PK).Range(topology.SK, row.SK))
	}
	if err := s.rows(tx, State{}, r.Put); err != nil {
		return false, err
	}
	err = tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return false, nil
	}
	return err == nil, err
}

// Poke makes an entity that is ours to number due at once, so that the sweeper looks
// at it. A Settle of what was read before does not hold any more.
func (s *Store) Poke(k Key) Action {
	u := s.poke(k)
	return func(tx *dynamo.WriteTx) { tx.Update(u) }
}

// PokeNow is Poke by itself.
func (s *Store) PokeNow(ctx context.Context, k Key) error { return s.poke(k).Run(ctx) }

func (s *Store) poke(k Key) *dynamo.Update {
	index := topology.DueIndex
	return s.table.Update(topology.PK, k.PK).Range(topology.SK, k.SK).Add(attributes(k.Part).version, 1).
		Set(index.Hash, shard(k.PK)).Set(index.Range, 1)
}

// Settle gives an entity that was poked its content, nil for none; it is due no
// more. It does nothing if the entity was poked again after it was read.
func (s *Store) Settle(ctx context.Context, k Key, read State, body any) error {
	u, err := s.main(k, read.Version+1, body == nil, Next{Body: body})
	if err != nil {
		return err
	}
	conditional(u, k, read)
	if err = u.Run(ctx); dynamo.IsCondCheckFailed(err) {
		return nil
	}
	return err
}
