package entity

import (
	"context"
	"iter"

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
