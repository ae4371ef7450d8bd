// Package event reads what the marketplace app sends: events and commands, one
// JSON object each.
//
// It knows the envelope, how strictly an event is read, the kinds of event as a
// table from names to payload types, and the JSON Schema that is published for
// each. A payload that the marketplace owns is its domain's own type (package role
// and others); those that become something else here, accounts and commands, are
// in this package.
//
// It applies nothing: the worker (functions/feed) knows the domains.
package event

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Envelope is what every event has.
type Envelope struct {
	ID         string        `json:"id" check:"required,format=uuid" doc:"The event's own id."`
	Type       string        `json:"type" check:"required,min=1,max=64" doc:"What happened, as role.upserted."`
	EntityID   string        `json:"entityId" check:"required,min=1,max=400,format=printable" doc:"What it happened to. Where two ids make one, they are joined by a slash."`
	Version    int64         `json:"version" check:"required,min=1,max=9007199254740991" doc:"Grows with every event of the entity; an event that is not newer than what is stored is dropped."`
	OccurredAt contract.Time `json:"occurredAt" check:"required" doc:"When it happened: from 2015 on, and at most five minutes ahead of the receipt."`
	DataRef    string        `json:"dataRef" check:"max=1024,format=printable" doc:"The S3 object with the data, in the marketplace bucket below feed/, in place of data that no message can hold. It has at most 16 MiB."`
}

// DataRefPrefix begins every dataRef.
const DataRefPrefix = "feed/"

// InvalidError is an event that can never be applied, and why. The reason holds no
// more of the event than the names and short quotes of a 400.
type InvalidError struct{ Reason string }

func (e *InvalidError) Error() string { return e.Reason }

// Invalidf returns an [InvalidError] with this reason.
func Invalidf(format string, args ...any) error { return &InvalidError{fmt.Sprintf(format, args...)} }

// The times of events that are taken. A later one would outlast every statement of its person or
// membership that follows, an erasure for ever.
const maxAhead = 5 * time.Minute

var earliest = time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)

// parseEnvelope reads the envelope alone, of an event that is received now.
func parseEnvelope(body string, now time.Time) (Envelope, error) {
	var e Envelope
	if err := decodeObject(body, reflect.TypeFor[Envelope](), &e); err != nil {
		return e, err
	}
	if e.DataRef != "" && (!strings.HasPrefix(e.DataRef, DataRefPrefix) || strings.Contains(e.DataRef, "..")) {
		return e, Invalidf("dataRef: must begin with %s.", DataRefPrefix)
	}
	switch {
	case e.OccurredAt.After(now.Add(maxAhead)):
		return e, Invalidf("occurredAt: is more than %v ahead of the receipt.", maxAhead)
	case e.OccurredAt.Before(earliest):
		return e, Invalidf("occurredAt: is before %d.", earliest.Year())
	}
	return e, nil
}

// decodeObject reads a JSON object into out as strictly as the API reads a body. The
// error is an [InvalidError].
func decodeObject(body string, schema reflect.Type, out any) error {
	_, err := decode.Into(decode.Request{Body: body}, contract.SchemaOf(schema), reflect.ValueOf(out))
	problem, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	messages := problem.Form
	for _, field := range slices.Sorted(maps.Keys(problem.Fields)) {
		messages = append(messages, problem.Fields[field]...)
	}
	return &InvalidError{strings.Join(messages, " ")}
}
