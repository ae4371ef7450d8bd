package entity

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Query selects items of a partition, in the order of their sort keys. Fields other than PK may be
// zero: that selects all items.
type Query struct {
	PK string
	// Prefix is what the sort keys begin with.
	Prefix string
	// After is a sort key; the selected items come after it.
	After string
	// From and To are the first and the last sort key, in place of Prefix.
	From, To string
	// Descending reverses the order.
	Descending bool
}

// QueryOf selects the items of a kind with keys that begin with these values: those of
// the partition key and, in order, any of the sort key.
func QueryOf(kind itemkey.Kind, values ...string) Query {
	pk, prefix := kind.PartialKey(values...)
	return Query{PK: pk, Prefix: prefix}
}

// AfterRank leaves out the rows up to a rank and all of that rank; 0 leaves out
// none. The rank is the first value of the rows' sort keys.
func (q Query) AfterRank(p Rank) Query {
	q.After = q.Prefix + min(p, MaxRank).Key() + "$" // follows "#"
	return q
}

// Query reads items, in as many calls as their size takes.
func (s *Store) Query(ctx context.Context, q Query) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		query, err := s.dynamoQuery(ctx, q)
		if err != nil {
			yield(Item{}, err)
			return
		}
		items := query.Iter()
		for item := (Item{}); items.Next(ctx, &item); item = (Item{}) {
			if !yield(item, nil) {
				return
			}
		}
		if items.Err() != nil {
			yield(Item{}, items.Err())
		}
	}
}

// QueryPage reads up to n items, in one call; items beyond a megabyte
// are left for the next. more reports whether others may follow them.
func (s *Store) QueryPage(ctx context.Context, q Query, n int) (items []Item, more bool, err error) {
	defer fault.Wrap(&err, "entity.QueryPage")

	query, err := s.dynamoQuery(ctx, q)
	if err != nil {
		return nil, false, err
	}
	next, err := query.SearchLimit(n).AllWithLastEvaluatedKey(ctx, &items)
	return items, len(next) > 0, err
}

func (s *Store) dynamoQuery(ctx context.Context, q Query) (*dynamo.Query, error) {
	query := s.table.Get(topology.PK, q.PK).Consistent(!cloud.IsEventual(ctx))
	switch {
	case q.To != "":
		query.Range(topology.SK, dynamo.Between, q.From, q.To)
	case q.Prefix != "":
		query.Range(topology.SK, dynamo.BeginsWith, q.Prefix)
	}
	if q.Descending {
		query.Order(dynamo.Descending)
	}
	if q.After == "" {
		return query, nil
	}
	start, err := dynamo.MarshalItem(rowItem{PK: q.PK, SK: q.After})
	return query.StartFrom(start), err
}

// Rank is the order of a row in a list that has the newest first: a number that
// grows down the list, from 1, made of the row's time (41 bits of milliseconds
// since 2000) and a hash of its id (11 bits). It is derived from the key, never a
// count, so rows that are added or removed change no other's rank.
//
// Rows with the same millisecond and hash share a rank.
type Rank int64

// MaxRank is the largest rank (52 bits).
const MaxRank Rank = 1<<52 - 1

const hashBits = 11

var firstRankTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// RankOf returns the rank of the row with this time and id.
func RankOf(at time.Time, id string) Rank {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	// FNV leaves the high bits of short texts alike; fold them in.
	sum := h.Sum32()
	sum ^= sum >> 15
	age := min(max(at.UnixMilli()-firstRankTime.UnixMilli(), 0), int64(MaxRank>>hashBits)-1)
	return MaxRank - Rank(age<<hashBits|int64(sum&(1<<hashBits-1)))
}

// Key returns the rank as a value of a sort key, in order.
func (p Rank) Key() string { return fmt.Sprintf("%013x", int64(p)) }
