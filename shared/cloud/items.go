package cloud

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// GetItem reads the item with a key, consistently. found is false if there is none.
func GetItem(ctx context.Context, table dynamo.Table, pk, sk string, out any) (found bool, err error) {
	err = table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, out)
	if errors.Is(err, dynamo.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// GetItems returns the items with these keys, which must be distinct, as values of type T. It reads
// 100 keys per call, and all calls run in parallel. Missing items are left out.
func GetItems[T any](ctx context.Context, table dynamo.Table, keys []dynamo.Keyed, consistent bool) ([]T, error) {
	parts := slices.Collect(slices.Chunk(keys, 100))
	found := make([][]T, len(parts))
	err := EachUntilError(ctx, len(parts), parts, func(ctx context.Context, n int, part []dynamo.Keyed) error {
		err := table.Batch(topology.PK, topology.SK).Get(part...).Consistent(consistent).All(ctx, &found[n])
		if errors.Is(err, dynamo.ErrNotFound) {
			return nil
		}
		return err
	})
	return slices.Concat(found...), err
}

// IgnoreCondition returns err unless it is a failed condition, which means that another writer was first.
func IgnoreCondition(err error) error {
	if dynamo.IsCondCheckFailed(err) {
		return nil
	}
	return err
}

// ToMillis returns a time as items store it, in epoch milliseconds; the zero time is 0.
func ToMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// FromMillis is the inverse of [ToMillis].
func FromMillis(millis int64) time.Time {
	if millis == 0 {
		return time.Time{}
	}
	return time.UnixMilli(millis).UTC()
}

type eventualKey struct{}

// Eventually returns a context in which the stores of accounts and of entities read eventually consistently: what they return may
// be a moment old, usually less than a second, and costs half. No write may depend on it.
func Eventually(ctx context.Context) context.Context {
	return context.WithValue(ctx, eventualKey{}, true)
}

// Live returns a context in which they read consistently.
func Live(ctx context.Context) context.Context { return context.WithValue(ctx, eventualKey{}, false) }

// IsEventual reports whether reads in a context may be a moment old.
func IsEventual(ctx context.Context) bool {
	is, _ := ctx.Value(eventualKey{}).(bool)
	return is
}

// PreferEventual reads eventually consistently first, and consistently only if that ends in a refusal, such
// as that nothing was found. So what was just created is never missing.
func PreferEventual[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	out, err := read(Eventually(ctx))
	if err != nil && !fault.IsFailure(err) {
		return read(Live(ctx))
	}
	return out, err
}

// DecodeItem stores the attributes of an item in the struct that out points to, as dynamo.UnmarshalItem does.
// It reads the tags of a struct's type once instead of for every item, and leaves a field without attribute
// as it is. The structs of items in long lists implement dynamo.ItemUnmarshaler with it.
func DecodeItem(item dynamo.Item, out any) error {
	target := reflect.ValueOf(out).Elem()
	for _, field := range storedFieldsOf(target.Type()) {
		value, ok := item[field.attribute]
		if !ok {
			continue
		}
		if err := decodeAttribute(value, target.FieldByIndex(field.index)); err != nil {
			return fmt.Errorf("attribute %s: %w", field.attribute, err)
		}
	}
	return nil
}

// decodeAttribute stores the frequent types itself, and leaves all others to package dynamo.
func decodeAttribute(value types.AttributeValue, field reflect.Value) error {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		if field.Kind() == reflect.String {
			field.SetString(v.Value)
			return nil
		}
	case *types.AttributeValueMemberBOOL:
		if field.Kind() == reflect.Bool {
			field.SetBool(v.Value)
			return nil
		}
	case *types.AttributeValueMemberN:
		if field.Kind() == reflect.Int64 {
			n, err := strconv.ParseInt(v.Value, 10, 64)
			field.SetInt(n)
			return err
		}
	}
	return dynamo.Unmarshal(value, field.Addr().Interface())
}

type storedField struct {
	attribute string
	index     []int
}

// storedFields has the fields by the struct's type, a []storedField each.
var storedFields sync.Map

func storedFieldsOf(t reflect.Type) []storedField {
	if known, ok := storedFields.Load(t); ok {
		return known.([]storedField)
	}
	var fields []storedField
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("dynamo"), ",")
		if !f.IsExported() || f.Anonymous || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, storedField{name, f.Index})
	}
	storedFields.Store(t, fields)
	return fields
}

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
	defer fault.Wrap(&failed, "cloud.Turn")

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
