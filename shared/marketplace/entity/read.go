package entity

import (
	"context"
	"errors"
	"strings"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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

// State returns the entity of this part; "" for the item's only one.
func (i Item) State(part string) (State, error) { return stateOf(i.attributes, part) }

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

// Into reads the content of a row, or of an item's only entity, into what out points
// to; without content it does nothing.
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
func (i Item) MemberInto(name string, out any) error { return decodeMember(i.body, name, out) }

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
	defer fault.Wrap(&err, "entity.Get")

	item, _, err := s.Item(ctx, k)
	if err != nil {
		return State{}, err
	}
	return item.State(k.Part)
}

// Item reads an item as Get does, and reports whether it exists.
func (s *Store) Item(ctx context.Context, k Key) (item Item, found bool, err error) {
	defer fault.Wrap(&err, "entity.Item")

	err = s.table.Get(topology.PK, k.PK).Range(topology.SK, dynamo.Equal, k.SK).Consistent(!cloud.IsEventual(ctx)).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return Item{}, false, nil
	}
	return item, err == nil, err
}

// Items reads items by key, 100 a call, all calls in parallel; what is not there is left out. live reads
// consistently, at twice the price.
func (s *Store) Items(ctx context.Context, keys []Key, live bool) (items []Item, err error) {
	defer fault.Wrap(&err, "entity.Items")

	all := make([]dynamo.Keyed, len(keys))
	for i, k := range keys {
		all[i] = dynamo.Keys{k.PK, k.SK}
	}
	return cloud.GetItems[Item](ctx, s.table, all, live && !cloud.IsEventual(ctx))
}
