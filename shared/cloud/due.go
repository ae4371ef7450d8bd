package cloud

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Shards is a number of partitions of topology.DueIndex, over which items are spread.
type Shards int

// Of returns the name of the shard of the item with an id.
func (s Shards) Of(id string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return shardName(int(h.Sum32() % uint32(s)))
}

// Names returns the names of all shards.
func (s Shards) Names() []string {
	names := make([]string, s)
	for n := range names {
		names[n] = shardName(n)
	}
	return names
}

func shardName(n int) string { return fmt.Sprintf("S#%02d", n) }

// DueKey is the key of an item that is due, as read from topology.DueIndex.
type DueKey struct {
	PK    string `dynamo:"pk"`
	SK    string `dynamo:"sk"`
	Shard string `dynamo:"shard"`
	Due   int64  `dynamo:"due"`
}

// DueQuery selects the items of a table that are due at a time, by topology.DueIndex.
type DueQuery struct {
	Table  dynamo.Table
	Shards []string
	Now    time.Time
	// Page is the greatest number of keys of a page, Parallel that of shards processed at a time.
	Page, Parallel int
}

// Begin returns a walk through the items that are due. Each minute's walk begins with another
// shard, so that no shard is always last.
func (q DueQuery) Begin() *DueWalk {
	w := &DueWalk{query: q}
	for _, name := range q.Shards {
		w.shards = append(w.shards, &dueShard{name: name})
	}
	first := int(q.Now.Unix()/60) % len(w.shards)
	w.shards = slices.Concat(w.shards[first:], w.shards[:first])
	return w
}

// DueWalk goes once through the items that are due, in turns.
type DueWalk struct {
	query DueQuery
	// shards are those with more pages; the one that waited longest is first.
	shards []*dueShard
}

type dueShard struct {
	name string
	from dynamo.PagingKey
}

// Turn calls act with one page of each shard that has more, concurrently for different
// shards, and begins no page after more has returned false. It reports whether another turn
// is needed. A shard with an unreadable page is left to the next walk.
//
// The index follows its items with a delay: an item may no longer be due.
func (w *DueWalk) Turn(ctx context.Context, more func() bool, act func(context.Context, []DueKey) error) (left bool, failed error) {
	begun := make([]bool, len(w.shards))
	again := make([]bool, len(w.shards))
	index := topology.DueIndex
	failed = ForEach(w.query.Parallel, w.shards, func(n int, shard *dueShard) (err error) {
		begun[n] = more()
		if !begun[n] {
			return nil
		}
		var found []DueKey
		query := w.query.Table.Get(index.Hash, shard.name).Index(index.Name).
			Range(index.Range, dynamo.LessOrEqual, w.query.Now.UnixMilli()).StartFrom(shard.from).SearchLimit(w.query.Page)
		shard.from, err = query.AllWithLastEvaluatedKey(ctx, &found)
		again[n] = err == nil && shard.from != nil
		if err != nil || len(found) == 0 {
			return err
		}
		return act(ctx, found)
	})
	var waiting, unfinished []*dueShard
	for n, shard := range w.shards {
		switch {
		case !begun[n]:
			waiting = append(waiting, shard)
		case again[n]:
			unfinished = append(unfinished, shard)
		}
	}
	w.shards = append(waiting, unfinished...)
	return len(w.shards) > 0, failed
}
