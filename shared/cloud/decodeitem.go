package cloud

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

// DecodeItem stores the attributes of an item in the struct that out points to, as
// dynamo.UnmarshalItem does. It reads the tags of a struct's type once instead of for every item, and
// leaves a field without attribute as it is. The structs of items in long lists implement
// dynamo.ItemUnmarshaler with it.
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

// storedField is a field of a struct that is an attribute of its items.
type storedField struct {
	attribute string
	index     []int
}

// storedFields has the fields by the struct's type, a []storedField each.
var storedFields sync.Map

// storedFieldsOf returns the exported fields of a struct and of those that it embeds.
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
