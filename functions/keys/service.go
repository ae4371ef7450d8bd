// Package keys administers API keys for the app's settings pages and for
// operators: create, list, revoke, rename. The app invokes it as
// a function, with IAM; it has no HTTP and no route leads to it. The rules are
// package account's; this package decodes the request, generates the key and encodes
// the response.
//
// The full key exists in create's response and nowhere else.
package keys

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	strict "github.com/go-json-experiment/json"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Action is what a Request asks for.
type Action string

// The actions.
const (
	Create Action = "create"
	List   Action = "list"
	Revoke Action = "revoke"
	Rename Action = "rename"
)

// Request asks for one action. The caller, who was authenticated by IAM or sits
// at the machine, states who it acts for.
type Request struct {
	Action Action `json:"action"`
	// Type and Principal name the owner of the keys: "agency" and the agency's
	// id, or "personal" and the recruiter's.
	Type      contract.KeyType `json:"type"`
	Principal string           `json:"principal"`
	// Actor is who acts: the id of an owner of the agency, or the recruiter's.
	Actor string `json:"actor"`
	// Name is the display name, for create and rename.
	Name string `json:"name,omitempty"`
	// Scopes and Environment are for create; ExpiresAt is optional.
	Scopes      []contract.Scope `json:"scopes,omitempty"`
	Environment string           `json:"environment,omitempty"`
	ExpiresAt   *contract.Time   `json:"expiresAt,omitempty"`
	// KeyID is for revoke and rename.
	KeyID string `json:"keyId,omitempty"`
	// Cursor continues a list: the nextCursor of the page before.
	Cursor string `json:"cursor,omitempty"`
}

// Response is that of every action; what an action does not return is absent.
type Response struct {
	// Key is the key that was created, revoked or renamed.
	Key *Key `json:"key,omitempty"`
	// Secret is the full key, returned once, by create.
	Secret string `json:"secret,omitempty"`
	// Keys are a page of list, newest first, of any status.
	Keys []Key `json:"keys,omitempty"`
	// NextCursor is set if the list continues.
	NextCursor string `json:"nextCursor,omitempty"`
	// Error is set, alone, when nothing was done.
	Error *Error `json:"error,omitempty"`
}

// Error is a failure in the words of the public API's envelope.
type Error struct {
	Type    string                 `json:"type"`
	Code    contract.Code          `json:"code,omitempty"`
	Message string                 `json:"message"`
	Details *contract.ErrorDetails `json:"details,omitempty"`
}

// Status is the state of a key.
type Status string

// The statuses. A disabled key is neither revoked nor expired, but its account
// is switched off.
const (
	Active   Status = "active"
	Expired  Status = "expired"
	Revoked  Status = "revoked"
	Disabled Status = "disabled"
)

// Key describes a key, never the key itself.
type Key struct {
	ID          string                   `json:"id"`
	Name        string                   `json:"name"`
	Type        contract.KeyType         `json:"type"`
	Principal   string                   `json:"principal"`
	Status      Status                   `json:"status"`
	Scopes      []contract.Scope         `json:"scopes"`
	Environment string                   `json:"environment"`
	Last4       string                   `json:"last4"`
	CreatedBy   contract.IdentityCreator `json:"createdBy"`
	CreatedAt   contract.Time            `json:"createdAt"`
	ExpiresAt   *contract.Time           `json:"expiresAt"`
	RevokedAt   *contract.Time           `json:"revokedAt"`
	LastUsedAt  *contract.Time           `json:"lastUsedAt"`
}

func describeKey(k account.Key, now time.Time) Key {
	return Key{
		ID: k.KeyID, Name: k.KeyName, Type: k.Type, Principal: k.Principal,
		Status: keyStatus(k, now), Scopes: k.Scopes, Environment: k.Environment, Last4: k.Last4,
		CreatedBy: contract.IdentityCreator{Name: k.CreatedBy.Name, Email: k.CreatedBy.Email},
		CreatedAt: contract.At(cloud.FromMillis(k.CreatedAt)),
		ExpiresAt: optionalTime(k.ExpiresAt), RevokedAt: optionalTime(k.RevokedAt), LastUsedAt: optionalTime(k.LastUsedAt),
	}
}

// optionalTime returns a time that is stored as 0 for never.
func optionalTime(millis int64) *contract.Time {
	return optional.NonZero(contract.At(cloud.FromMillis(millis)))
}

func keyStatus(k account.Key, now time.Time) Status {
	switch {
	case k.RevokedAt != 0:
		return Revoked
	case !k.Active(now):
		return Expired
	case k.Disabled:
		return Disabled
	}
	return Active
}

// Service is the function.
type Service struct {
	host         cloud.Host
	accounts     *account.Store
	environments []string
}

// New opens the service. It fails on a missing or malformed setting.
func New(_ context.Context, host cloud.Host) (*Service, error) {
	o := host.Opener()
	return &Service{
		host: host, environments: apikey.Environments(o), accounts: account.Open(o),
	}, o.Err()
}

// Invoke is the function's entry: it decodes the request strictly (an unknown field, a
// duplicate one or a wrong type is refused), and returns a failure as Response.Error. It
// logs one line, which contains no key and no personal data.
func (s *Service) Invoke(ctx context.Context, payload json.RawMessage) (Response, error) {
	ctx = cloud.Metered(ctx)
	var in Request
	var out Response
	var err error
	if strict.Unmarshal(payload, &in, strict.RejectUnknownMembers(true)) != nil {
		err = fault.New(fault.Invalid, contract.MalformedJSON,
			"The request must be one JSON object with only documented fields of the documented types.")
	} else {
		out, err = s.Handle(ctx, in)
	}
	if err != nil {
		e := fault.As(err)
		out = Response{Error: &Error{Type: e.Kind.Type, Code: e.Code, Message: e.Message}}
		if e.Kind == fault.Invalid {
			out.Error.Details = &contract.ErrorDetails{FormErrors: append([]string{}, e.Form...), FieldErrors: map[string][]string{}}
			maps.Copy(out.Error.Details.FieldErrors, e.Fields)
		}
	}
	id := cloud.LogID(in.KeyID)
	if out.Key != nil {
		id = out.Key.ID
	}
	fields := []any{
		"action", cloud.LogID(string(in.Action)), "type", cloud.LogID(string(in.Type)),
		"principal", cloud.LogID(in.Principal), "actor", cloud.LogID(in.Actor), "key_id", id, // as the requests' lines name it
	}
	level := slog.LevelInfo
	if err != nil {
		level = slog.LevelWarn
		fields = append(fields, "error", err.Error())
	}
	if fault.IsFailure(err) {
		level = slog.LevelError
	}
	s.host.Log.Log(cloud.Finished(ctx), level, "keys", fields...)
	return out, nil
}

// Handle does what the request asks. Its error is a *fault.Error where the
// request or the account is at fault.
func (s *Service) Handle(ctx context.Context, in Request) (_ Response, err error) {
	defer fault.Wrap(&err, "keys.Handle(principalID, keyID)")

	if err := in.checkFields(s.environments); err != nil {
		return Response{}, err
	}
	p := account.Principal{Type: in.Type, ID: in.Principal}
	now := s.host.Now()
	var out Response
	var key account.Key
	switch in.Action {
	case Create:
		out.Secret, err = apikey.Generate(rand.Reader, in.Environment)
		if err != nil {
			return Response{}, err
		}
		asked := apikey.Caller{
			KeyID: "key_" + cloud.ShortID(s.host.NewID()), KeyName: in.Name, Last4: out.Secret[len(out.Secret)-4:],
			Environment: in.Environment, Type: in.Type, Principal: in.Principal, Creator: in.Actor, Scopes: in.Scopes,
			CreatedAt: now.UnixMilli(),
		}
		if in.ExpiresAt != nil {
			asked.ExpiresAt = max(in.ExpiresAt.UnixMilli(), 1) // 0 is never
		}
		key, err = s.accounts.CreateKey(ctx, asked, apikey.Hash(out.Secret))
	case List:
		var found []account.Key
		found, out.NextCursor, err = s.accounts.ListKeys(ctx, p, in.Actor, in.Cursor)
		for _, k := range found {
			out.Keys = append(out.Keys, describeKey(k, now))
		}
		return out, err
	case Revoke:
		key, err = s.accounts.RevokeKey(ctx, p, in.Actor, in.KeyID, now)
	default:
		key, err = s.accounts.RenameKey(ctx, p, in.Actor, in.KeyID, in.Name)
	}
	if err != nil {
		return Response{}, err
	}
	out.Key = new(describeKey(key, now))
	return out, nil
}

// checkFields returns what is wrong with the request, before any account is read.
func (in Request) checkFields(environments []string) error {
	fields := map[string][]string{}
	need := func(ok bool, field, message string) {
		if !ok {
			fields[field] = append(fields[field], message)
		}
	}
	need(slices.Contains([]Action{Create, List, Revoke, Rename}, in.Action), "action", "Must be create, list, revoke or rename.")
	need(in.Type == contract.AgencyKey || in.Type == contract.PersonalKey, "type", "Must be agency or personal.")
	need(in.Principal != "", "principal", "Required: the id of the agency or recruiter.")
	need(in.Actor != "", "actor", "Required: the id of the member or recruiter who acts.")
	need(in.KeyID != "" || in.Action != Revoke && in.Action != Rename, "keyId", "Required.")
	need(slices.Contains(environments, in.Environment) || in.Action != Create,
		"environment", "Must be one of: "+strings.Join(environments, ", ")+".")
	if len(fields) == 0 {
		return nil
	}
	return fault.Fields(contract.ValidationFailed, fields)
}
