package entity

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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
		items := s.dynamoQuery(ctx, q).Iter()
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

	next, err := s.dynamoQuery(ctx, q).SearchLimit(n).AllWithLastEvaluatedKey(ctx, &items)
	return items, len(next) > 0, err
}

// QueryRanks reads the first rows of a list by rank: n in a call, without those of a rank that the call may have cut
// off, and further ones until they are least, or all. more reports whether others may follow.
func (s *Store) QueryRanks(ctx context.Context, q Query, n, least int) (rows []Item, more bool, err error) {
	defer fault.Wrap(&err, "entity.QueryRanks")

	for {
		page, cut, err := s.QueryPage(ctx, q, n)
		rows = append(rows, page...)
		if err != nil || !cut {
			return rows, false, err
		}
		q.After = rows[len(rows)-1].SK
		last := q.After[:len(q.Prefix)+rankDigits]
		whole := slices.IndexFunc(rows, func(row Item) bool { return strings.HasPrefix(row.SK, last) })
		if whole >= least {
			return rows[:whole], true, nil
		}
	}
}

func (s *Store) dynamoQuery(ctx context.Context, q Query) *dynamo.Query {
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
	if q.After != "" {
		query.StartFrom(dynamo.PagingKey{
			topology.PK: &types.AttributeValueMemberS{Value: q.PK}, topology.SK: &types.AttributeValueMemberS{Value: q.After},
		})
	}
	return query
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

// rankDigits is the length of a rank in a sort key.
const rankDigits = 13

// Key returns the rank as a value of a sort key, in order.
func (p Rank) Key() string { return fmt.Sprintf("%0*x", rankDigits, int64(p)) }
