package event

import (
	"context"
	"reflect"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Kind is a type of event: its name, its payload and what applies it.
type Kind struct {
	// Name is the envelope's type.
	Name string
	// Data is the payload's Go type; nil for an event that has none.
	Data reflect.Type

	// read makes the payload, a *T, of an event; apply applies it.
	read  func(ctx context.Context, body string, fetch Reader) (any, error)
	apply func(ctx context.Context, e Envelope, data any) error
}

// event is an event whose payload is a T.
type event[T any] struct {
	Envelope
	Data *T `json:"data" check:"nullable"`
}

// With is an event or command that brings data.
func With[T any](name string, apply func(context.Context, Envelope, *T) error) Kind {
	return Kind{
		Name: name, Data: reflect.TypeFor[T](),
		read: func(ctx context.Context, body string, fetch Reader) (any, error) {
			var whole event[T]
			if err := read(body, reflect.TypeOf(whole), &whole); err != nil {
				return nil, err
			}
			return whole.content(ctx, fetch)
		},
		apply: func(ctx context.Context, e Envelope, data any) error { return apply(ctx, e, data.(*T)) },
	}
}

// content is the event's own data, or the object's that it refers to.
func (e event[T]) content(ctx context.Context, fetch Reader) (*T, error) {
	switch {
	case e.Data != nil && e.DataRef != "":
		return nil, Refuse("data: must not stand beside dataRef.")
	case e.Data != nil:
		return e.Data, nil
	case e.DataRef == "":
		return nil, Refuse("data: is required, or dataRef in its place.")
	}
	object, err := fetch(ctx, e.DataRef)
	if err != nil {
		return nil, err
	}
	var data T
	return &data, read(string(object), reflect.TypeOf(data), &data)
}

// Deleted is an event that takes an entity away; what data it has is not read.
func Deleted(entity string, apply func(context.Context, Envelope) error) Kind {
	return Kind{
		Name:  entity + ".deleted",
		read:  func(context.Context, string, Reader) (any, error) { return nil, nil },
		apply: func(ctx context.Context, e Envelope, _ any) error { return apply(ctx, e) },
	}
}

// Both are an entity's two events; nil in place of the content is its deletion.
func Both[T any](entity string, apply func(context.Context, Envelope, *T) error) []Kind {
	return []Kind{
		With(entity+".upserted", apply),
		Deleted(entity, func(ctx context.Context, e Envelope) error { return apply(ctx, e, nil) }),
	}
}

// Stamp places the event among those of its entity.
func (e Envelope) Stamp() entity.Stamp {
	return entity.Stamp{Version: e.Version, At: e.OccurredAt.Time}
}

// One is the entity's id, which must be a single one.
func (e Envelope) One() (string, error) {
	ids, err := e.ids(1)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// Pair takes an entity's id apart that is two joined by a slash.
func (e Envelope) Pair() (first, second string, err error) {
	ids, err := e.ids(2)
	if err != nil {
		return "", "", err
	}
	return ids[0], ids[1], nil
}

func (e Envelope) ids(want int) ([]string, error) {
	ids := strings.Split(e.EntityID, "/")
	if len(ids) != want {
		return nil, Refuse("entityId: %s wants %d id(s) joined by a slash, not %d.", e.Type, want, len(ids))
	}
	for _, id := range ids {
		if !decode.IsID(id) {
			return nil, Refuse("entityId: must be made of ids of 1 to 128 printable ASCII characters without space, /, # and |.")
		}
	}
	return ids, nil
}

// Same refuses data that names another entity than the envelope does.
func (e Envelope) Same(field, inData, inEnvelope string) error {
	if inData == inEnvelope {
		return nil
	}
	return Refuse("data.%s: must be the id in entityId.", field)
}
