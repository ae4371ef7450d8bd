package cloud

import (
	"context"
	"errors"
	"fmt"
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
