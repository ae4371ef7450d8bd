package entity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
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

// Item is a stored item: an entity's, several entities', or a row.
type Item struct {
	PK, SK     string
	body       []byte
	attributes dynamo.Item
}

// UnmarshalDynamoItem implements dynamo.ItemUnmarshaler.
func (i *Item) UnmarshalDynamoItem(item dynamo.Item) error {
	*i = Item{textIn(item[topology.PK]), textIn(item[topology.SK]), bytesIn(item[attributesOf("").body]), item}
	return nil
}

// State returns the entity of this part; "" for the item's only one. It uses no reflection: a page of a list reads hundreds.
func (i Item) State(part string) (s State, err error) {
	a := attributesOf(part)
	s = State{body: bytesIn(i.attributes[a.body])}
	for _, row := range attribute[types.AttributeValueMemberL](i.attributes[a.rows]).Value {
		s.rows = append(s.rows, textIn(row))
	}
	s.Deleted = attribute[types.AttributeValueMemberBOOL](i.attributes[a.gone]).Value
	s.Version, err = intIn(i.attributes[a.version])
	if err == nil {
		s.at, err = intIn(i.attributes[a.at])
	}
	return s, err
}

// Revision returns the sum of the versions of all entities of the item. Each event of one of them, also
// its deletion, raises its version; none is removed, and none is lowered once the item's main entity is
// stored. So from then on the sum grows with every write, and two states that have the same one are the
// same. Only an erasure and a [Revision] of what is due keep the version of what they change; entities
// without persons and due times have neither.
func (i Item) Revision() (sum int64) {
	for name, value := range i.attributes {
		if strings.HasSuffix(name, attributesOf("").version) {
			version, _ := intIn(value) // another attribute with such a name is no number
			sum += version
		}
	}
	return sum
}

// Into reads the content of a row, or of an item's only entity, into what out points to; without content it does nothing.
func (i Item) Into(out any) error { return State{body: i.body}.Into(out) }

// PartInto is Into for the entity of this part.
func (i Item) PartInto(part string, out any) error {
	state, err := i.State(part)
	if err != nil {
		return err
	}
	return state.Into(out)
}

// MemberInto is Into for one member of the content, an object. It reads no further than that member.
func (i Item) MemberInto(name string, out any) error {
	return withContent(i.body, func(r io.Reader) error { return readMember(json.NewDecoder(r), name, out) })
}

// Decode returns the content of a [State] or an [Item] as a value of type T, without content the zero value.
func Decode[T any](from interface{ Into(out any) error }) (content T, err error) {
	err = from.Into(&content)
	return content, err
}

// Read reads an entity's state like [Store.Get], and its content like [Decode].
func Read[T any](ctx context.Context, s *Store, k Key) (state State, content T, err error) {
	state, err = s.Get(ctx, k)
	if err == nil {
		err = state.Into(&content)
	}
	return state, content, err
}

// Get reads an entity's state, consistently unless the context says otherwise ([cloud.Eventually]); Version is 0 when nothing is stored.
func (s *Store) Get(ctx context.Context, k Key) (_ State, err error) {
	defer fault.Wrap(&err, "entity.Get(key)")

	item, _, err := s.Item(ctx, k)
	if err != nil {
		return State{}, err
	}
	return item.State(k.Part)
}

// Item reads an item as Get does, and reports whether it exists.
func (s *Store) Item(ctx context.Context, k Key) (item Item, found bool, err error) {
	defer fault.Wrap(&err, "entity.Item(key)")

	err = s.table.Get(topology.PK, k.PK).Range(topology.SK, dynamo.Equal, k.SK).Consistent(!cloud.IsEventual(ctx)).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return Item{}, false, nil
	}
	return item, err == nil, err
}

// Items reads by key the items that there are, 100 a call, all calls in parallel. live reads consistently, at twice the price.
func (s *Store) Items(ctx context.Context, keys []Key, live bool) (items []Item, err error) {
	defer fault.Wrap(&err, "entity.Items(keys)")

	all := make([]dynamo.Keyed, len(keys))
	for i, k := range keys {
		all[i] = dynamo.Keys{k.PK, k.SK}
	}
	return cloud.GetItems[Item](ctx, s.table, all, live && !cloud.IsEventual(ctx))
}

// Query selects items of a partition, in the order of their sort keys: all if only PK is set.
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

// QueryOf selects the items of a kind by the first values of their keys: those of the partition key at least.
func QueryOf(kind itemkey.Kind, values ...string) Query {
	pk, prefix := kind.PartialKey(values...)
	return Query{PK: pk, Prefix: prefix}
}

// AfterRank leaves out the rows up to a rank and all of it; 0 leaves out none. The rows' sort keys begin with ranks.
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

// QueryPage reads up to n items, in one call of at most a megabyte. more reports whether others may follow them.
func (s *Store) QueryPage(ctx context.Context, q Query, n int) (items []Item, more bool, err error) {
	defer fault.Wrap(&err, "entity.QueryPage(partition)")

	next, err := s.dynamoQuery(ctx, q).SearchLimit(n).AllWithLastEvaluatedKey(ctx, &items)
	return items, len(next) > 0, err
}

// QueryRanks reads the first rows of a list by rank: n in a call, without those of a rank that the call may have cut
// off, and further ones until they are least, or all. more reports whether others may follow.
func (s *Store) QueryRanks(ctx context.Context, q Query, n, least int) (rows []Item, more bool, err error) {
	defer fault.Wrap(&err, "entity.QueryRanks(partition)")

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
