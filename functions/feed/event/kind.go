package event

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Kind is a type of event: its name, its payload and what applies it.
type Kind struct {
	// Name is the envelope's type.
	Name string
	// Data is the payload's Go type; nil for an event that has none.
	Data reflect.Type

	// Parse returns the payload of an event, a pointer to Data; nil for an event that has none. The error is an
	// [InvalidError] if the event can never be applied.
	Parse func(ctx context.Context, body string, fetch ReadObject) (any, error)
	apply func(ctx context.Context, e Envelope, data any) error
}

// message is an event with a payload of type T.
type message[T any] struct {
	Envelope
	Data *T `json:"data" check:"nullable"`
}

// NewKind returns the kind of an event or command that brings data.
func NewKind[T any](name string, apply func(context.Context, Envelope, *T) error) Kind {
	return Kind{
		Name: name, Data: reflect.TypeFor[T](),
		Parse: func(ctx context.Context, body string, fetch ReadObject) (any, error) {
			var whole message[T]
			if err := decodeObject(body, reflect.TypeOf(whole), &whole); err != nil {
				return nil, err
			}
			return whole.payload(ctx, fetch)
		},
		apply: func(ctx context.Context, e Envelope, data any) error { return apply(ctx, e, data.(*T)) },
	}
}

// payload returns the event's own data, or that of the object it refers to.
func (e message[T]) payload(ctx context.Context, fetch ReadObject) (*T, error) {
	switch {
	case e.Data != nil && e.DataRef != "":
		return nil, Invalidf("data: must not stand beside dataRef.")
	case e.Data != nil:
		return e.Data, nil
	case e.DataRef == "":
		return nil, Invalidf("data: is required, or dataRef in its place.")
	}
	object, err := fetch(ctx, e.DataRef)
	if err != nil {
		return nil, err
	}
	var data T
	return &data, decodeObject(string(object), reflect.TypeOf(data), &data)
}

// NewDeletedKind returns the kind of the event that deletes an entity. Data that such
// an event has is not read.
func NewDeletedKind(entity string, apply func(context.Context, Envelope) error) Kind {
	return Kind{
		Name:  entity + ".deleted",
		Parse: func(context.Context, string, ReadObject) (any, error) { return nil, nil },
		apply: func(ctx context.Context, e Envelope, _ any) error { return apply(ctx, e) },
	}
}

// NewEntityKinds returns the kinds of an entity's two events; apply gets nil as the
// payload of its deletion.
func NewEntityKinds[T any](entity string, apply func(context.Context, Envelope, *T) error) []Kind {
	return []Kind{
		NewKind(entity+".upserted", apply),
		NewDeletedKind(entity, func(ctx context.Context, e Envelope) error { return apply(ctx, e, nil) }),
	}
}

// Stamp returns the event's place among those of its entity.
func (e Envelope) Stamp() entity.Stamp {
	return entity.Stamp{Version: e.Version, At: e.OccurredAt.Time}
}

// SingleID returns the entity's id. The error is an [InvalidError] for two ids.
func (e Envelope) SingleID() (string, error) {
	ids, err := e.splitID(1)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// IDPair returns the two ids that make the entity's, joined by a slash. The error is
// an [InvalidError] for one id.
func (e Envelope) IDPair() (first, second string, err error) {
	ids, err := e.splitID(2)
	if err != nil {
		return "", "", err
	}
	return ids[0], ids[1], nil
}

func (e Envelope) splitID(want int) ([]string, error) {
	ids := strings.Split(e.EntityID, "/")
	if len(ids) != want {
		return nil, Invalidf("entityId: %s wants %d id(s) joined by a slash, not %d.", e.Type, want, len(ids))
	}
	for _, id := range ids {
		if !decode.IsID(id) {
			return nil, Invalidf("entityId: must be made of ids of 1 to 128 printable ASCII characters without space, /, # and |.")
		}
	}
	return ids, nil
}

// CheckIDPair returns an [InvalidError] that names each of two fields of the data with another id than
// the envelope has in its place.
func (e Envelope) CheckIDPair(firstField, first, secondField, second string) error {
	ids, err := e.splitID(2)
	if err != nil {
		return err
	}
	var wrong []string
	if first != ids[0] {
		wrong = append(wrong, "data."+firstField+": must be the id in entityId.")
	}
	if second != ids[1] {
		wrong = append(wrong, "data."+secondField+": must be the id in entityId.")
	}
	if len(wrong) == 0 {
		return nil
	}
	return &InvalidError{strings.Join(wrong, " ")}
}

// jsonObject is a JSON object with its keys in a fixed order of encoding/json.
type jsonObject map[string]any

// Schema is the JSON Schema (2020-12) of a kind's events.
func (k Kind) Schema() ([]byte, error) {
	s := contract.JSONSchema{}.Of(contract.SchemaOf(reflect.TypeFor[Envelope]()))
	properties := s["properties"].(map[string]any)
	properties["type"] = jsonObject{"const": k.Name, "description": "What happened."}
	if k.Data == nil {
		delete(properties, "dataRef")
	} else {
		properties["data"] = contract.JSONSchema{}.Of(contract.SchemaOf(k.Data))
		s["oneOf"] = []jsonObject{{"required": []string{"data"}}, {"required": []string{"dataRef"}}}
	}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = k.Name
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}
