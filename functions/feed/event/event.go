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
	"context"
	"encoding/json"
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
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
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

const dataRefPrefix = "feed/"

// InvalidError is an event that can never be applied, and why. The reason holds no
// more of the event than the names and short quotes of a 400.
type InvalidError struct{ Reason string }

func (e *InvalidError) Error() string { return e.Reason }

// Invalidf returns an [InvalidError] with this reason.
func Invalidf(format string, args ...any) error { return &InvalidError{fmt.Sprintf(format, args...)} }

// The times of events that are taken. A later one would outlast every later statement of its subject, an erasure for ever.
const maxAhead = 5 * time.Minute

var earliest = time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)

// parseEnvelope reads the envelope alone, of an event that is received now.
func parseEnvelope(body string, now time.Time) (Envelope, error) {
	var e Envelope
	if err := decodeObject(body, &e); err != nil {
		return e, err
	}
	if e.DataRef != "" && (!strings.HasPrefix(e.DataRef, dataRefPrefix) || strings.Contains(e.DataRef, "..")) {
		return e, Invalidf("dataRef: must begin with %s.", dataRefPrefix)
	}
	switch {
	case e.OccurredAt.After(now.Add(maxAhead)):
		return e, Invalidf("occurredAt: is more than %v ahead of the receipt.", maxAhead)
	case e.OccurredAt.Before(earliest):
		return e, Invalidf("occurredAt: is before %d.", earliest.Year())
	}
	return e, nil
}

// decodeObject reads a JSON object into out as strictly as the API reads a body. The error is an [InvalidError].
func decodeObject(body string, out any) error {
	_, err := decode.Into(decode.Request{Body: body}, contract.SchemaOf(reflect.TypeOf(out).Elem()), reflect.ValueOf(out))
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

// Kind is a type of event: its name, its payload and what applies it.
type Kind struct {
	// Name is the envelope's type.
	Name string
	// Data is the payload's Go type; nil for an event that has none.
	Data reflect.Type

	// Parse returns a pointer to the payload of an event, nil without Data; an [InvalidError] if it can never be applied.
	Parse func(ctx context.Context, body string, fetch ReadObject) (any, error)
	apply func(ctx context.Context, e Envelope, data any) error
	// ids is how many ids make the entity's, joined by a slash.
	ids int
}

// NewKind returns the kind of an event or command that brings data, of an entity with one id: its own data, or that of
// the object it refers to.
func NewKind[T any](name string, apply func(context.Context, Envelope, *T) error) Kind {
	return Kind{
		Name: name, Data: reflect.TypeFor[T](), ids: 1,
		Parse: func(ctx context.Context, body string, fetch ReadObject) (any, error) {
			var e struct {
				Envelope
				Data *T `json:"data" check:"nullable"`
			}
			if err := decodeObject(body, &e); err != nil {
				return nil, err
			}
			switch {
			case e.Data != nil && e.DataRef != "":
				return nil, Invalidf("data: must not be set together with dataRef.")
			case e.Data != nil:
				return e.Data, nil
			case e.DataRef == "":
				return nil, Invalidf("data: is required, or dataRef in its place.")
			}
			object, err := fetch(ctx, e.DataRef)
			if err != nil {
				return nil, err
			}
			e.Data = new(T)
			return e.Data, decodeObject(string(object), e.Data)
		},
		apply: func(ctx context.Context, e Envelope, data any) error { return apply(ctx, e, data.(*T)) },
	}
}

// NewEntityKinds returns the kinds of the two events of an entity that one or two ids make. The payload of its deletion is
// nil: data that a deletion has is not read.
func NewEntityKinds[T any](entity string, ids int, apply func(context.Context, Envelope, *T) error) []Kind {
	upserted := NewKind(entity+".upserted", apply)
	upserted.ids = ids
	return []Kind{upserted, {
		Name: entity + ".deleted", ids: ids,
		Parse: func(context.Context, string, ReadObject) (any, error) { return nil, nil },
		apply: func(ctx context.Context, e Envelope, _ any) error { return apply(ctx, e, nil) },
	}}
}

// Stamp returns the event's place among those of its entity.
func (e Envelope) Stamp() entity.Stamp {
	return entity.Stamp{Version: e.Version, At: e.OccurredAt.Time}
}

// IDPair returns the two ids that make the entity's.
func (e Envelope) IDPair() (first, second string) {
	first, second, _ = strings.Cut(e.EntityID, "/")
	return first, second
}

// CheckIDPair returns an [InvalidError] that names each of two fields of the data with another id than the envelope has.
func (e Envelope) CheckIDPair(firstField, first, secondField, second string) error {
	wantFirst, wantSecond := e.IDPair()
	var wrong []string
	if first != wantFirst {
		wrong = append(wrong, "data."+firstField+": must be the id in entityId.")
	}
	if second != wantSecond {
		wrong = append(wrong, "data."+secondField+": must be the id in entityId.")
	}
	if len(wrong) == 0 {
		return nil
	}
	return &InvalidError{strings.Join(wrong, " ")}
}

// Schema is the JSON Schema (2020-12) of a kind's events.
func (k Kind) Schema() ([]byte, error) {
	s := contract.JSONSchema{}.Of(contract.SchemaOf(reflect.TypeFor[Envelope]()))
	properties := s["properties"].(map[string]any)
	properties["type"] = map[string]any{"const": k.Name, "description": "What happened."}
	if k.Data == nil {
		delete(properties, "dataRef")
	} else {
		properties["data"] = contract.JSONSchema{}.Of(contract.SchemaOf(k.Data))
		s["oneOf"] = []map[string]any{{"required": []string{"data"}}, {"required": []string{"dataRef"}}}
	}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = k.Name
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}

// ReadObject reads the object that a dataRef names. Its error is an [InvalidError]
// if no retry can help; an object that does not exist may arrive later.
type ReadObject func(ctx context.Context, key string) ([]byte, error)

// Router reads events and passes each to the Kind that applies it.
type Router struct {
	kinds      map[string]Kind
	readObject ReadObject
	now        func() time.Time
	// object is a lock: an event holds it while its object is in memory, where it takes many times its size.
	object chan struct{}
}

// NewRouter returns a router for these kinds. now says when an event is received.
func NewRouter(fetch ReadObject, now func() time.Time, kinds ...Kind) *Router {
	r := &Router{map[string]Kind{}, fetch, now, make(chan struct{}, 1)}
	for _, k := range kinds {
		r.kinds[k.Name] = k
	}
	return r
}

// Apply reads an event and applies it. Events with a dataRef are applied one at a time. The
// error is an [InvalidError] if the event can never be applied; after any other it may be
// retried. The envelope is for the log; it is empty if it cannot be read.
func (r *Router) Apply(ctx context.Context, body string) (Envelope, error) {
	e, err := parseEnvelope(body, r.now())
	if err != nil {
		return Envelope{}, err
	}
	kind, known := r.kinds[e.Type]
	if !known {
		return e, Invalidf("type: is unknown; the published schemas list all event types.")
	}
	if e.DataRef != "" {
		select {
		case r.object <- struct{}{}:
			defer func() { <-r.object }()
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
	data, err := kind.Parse(ctx, body, r.readObject)
	if err != nil {
		return e, err
	}
	ids := strings.Split(e.EntityID, "/")
	switch {
	case len(ids) != kind.ids:
		return e, Invalidf("entityId: %s wants %d id(s) joined by a slash, not %d.", e.Type, kind.ids, len(ids))
	case !decode.IsID(ids[0]) || !decode.IsID(ids[kind.ids-1]):
		return e, Invalidf("entityId: must be made of ids of 1 to 128 printable ASCII characters without space, /, # and |.")
	}
	return e, kind.apply(ctx, e, data)
}

// Agency is a recruiting agency without its members, who are events of their own.
type Agency struct {
	Name                    string `json:"name" check:"required,min=1,max=300"`
	APIAccess               bool   `json:"apiAccess" check:"required" doc:"Without it the agency's keys are refused."`
	TalentNetworkAccess     bool   `json:"talentNetworkAccess" check:"required"`
	TalentNetworkManagement bool   `json:"talentNetworkManagement" check:"required"`
	HidesPayment            bool   `json:"hidesPayment" doc:"Members, owners aside, see no fees."`
	PrimaryOwner            string `json:"primaryOwner" check:"required,format=id" doc:"The member who owns candidates when no member is named."`
}

// Member is a recruiter of an agency; the event's entityId is agencyId/recruiterId.
type Member struct {
	Name        string `json:"name" check:"required,min=1,max=300"`
	Email       string `json:"email" check:"required,format=email"`
	Owner       bool   `json:"owner"`
	Approved    bool   `json:"approved" check:"required"`
	Deactivated bool   `json:"deactivated"`
	FastTrack   bool   `json:"fastTrack"`
}

// Recruiter is an account of the recruiter surface.
type Recruiter struct {
	Name            string  `json:"name" check:"required,min=1,max=300"`
	Email           string  `json:"email" check:"required,format=email"`
	AgencyID        *string `json:"agencyId" check:"nullable,format=id"`
	CanRecruit      bool    `json:"canRecruit" check:"required" doc:"Without it the recruiter's keys are refused."`
	PersonalKeys    bool    `json:"personalKeys" doc:"The recruiter may create personal keys."`
	Recommendations bool    `json:"recommendations" doc:"Recommended roles are enabled."`
}

// Erasure is the payload of person.erased: every identity of one person, hashed.
type Erasure struct {
	IdentityHashes []string `json:"identityHashes" check:"required,min=1,max=50" doc:"SHA-256, in lower-case hexadecimal, of each canonical identity: https://www.linkedin.com/in/<slug>, or the e-mail address in lower case."`
}

// The commands change what is owned here, by the functions that the API uses too.
// Their entityId is the membership's candidateUserId, but for
// membership.addedByRoleSubmission, which names none yet.

// PreferencesSet replaces a membership's preferences, as a recruiter did in the app.
type PreferencesSet struct {
	Preferences contract.WorkPreferences `json:"preferences" check:"required"`
}

// OffMarketSet takes a membership off the market or puts it back.
type OffMarketSet struct {
	OffMarket bool `json:"offMarket" check:"required"`
}

// Locked locks a membership off the market, or unlocks it.
type Locked struct {
	Locked bool `json:"locked" check:"required"`
}

// AddedByRoleSubmission adds a candidate that a member submitted to a role as a member of the network.
type AddedByRoleSubmission struct {
	AgencyID    string  `json:"agencyId" check:"required,format=id"`
	RecruiterID string  `json:"recruiterId" check:"required,format=id"`
	Name        string  `json:"name" check:"required,min=1,max=300,format=line"`
	Email       string  `json:"email" check:"required,format=email"`
	LinkedInURL string  `json:"linkedinUrl" check:"required,format=linkedin,max=2048"`
	Title       *string `json:"currentTitle" check:"nullable,max=300"`
	Company     *string `json:"currentCompany" check:"nullable,max=300"`
	Location    *string `json:"location" check:"nullable,max=300"`
}
