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
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

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
		out = Response{Error: publicError(fault.As(err))}
	}
	s.logCall(cloud.Finished(ctx), in, out, err)
	return out, nil
}

func (s *Service) logCall(ctx context.Context, in Request, out Response, err error) {
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
	s.host.Log.Log(ctx, level, "keys", fields...)
}

// Handle does what the request asks. Its error is a *fault.Error where the
// request or the account is at fault.
func (s *Service) Handle(ctx context.Context, in Request) (Response, error) {
	if err := in.checkFields(s.environments); err != nil {
		return Response{}, err
	}
	p := account.Principal{Type: in.Type, ID: in.Principal}
	now := s.host.Now()
	var out Response
	var key account.Key
	var err error
	switch in.Action {
	case Create:
		key, out.Secret, err = s.createKey(ctx, p, in, now)
	case List:
		return s.listKeys(ctx, p, in, now)
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

func (s *Service) createKey(ctx context.Context, p account.Principal, in Request, now time.Time) (account.Key, string, error) {
	secret, err := apikey.Generate(rand.Reader, in.Environment)
	if err != nil {
		return account.Key{}, "", err
	}
	request := account.NewKey{
		Principal: p, Actor: in.Actor, Name: in.Name, Scopes: in.Scopes, Environment: in.Environment,
		ID:   "key_" + cloud.ShortID(s.host.NewID()),
		Hash: apikey.Hash(secret), Last4: secret[len(secret)-4:], Now: now,
	}
	if in.ExpiresAt != nil {
		request.ExpiresAt = &in.ExpiresAt.Time
	}
	key, err := s.accounts.CreateKey(ctx, request)
	return key, secret, err
}

func (s *Service) listKeys(ctx context.Context, p account.Principal, in Request, now time.Time) (Response, error) {
	found, next, err := s.accounts.ListKeys(ctx, p, in.Actor, in.Cursor)
	if err != nil {
		return Response{}, err
	}
	out := Response{NextCursor: next}
	for _, k := range found {
		out.Keys = append(out.Keys, describeKey(k, now))
	}
	return out, nil
}

func publicError(e *fault.Error) *Error {
	out := &Error{Type: e.Kind.Category().Type, Code: e.Code, Message: e.Message}
	if e.Kind == fault.Invalid {
		out.Details = &contract.ErrorDetails{FormErrors: []string{}, FieldErrors: map[string][]string{}}
		out.Details.FormErrors = append(out.Details.FormErrors, e.Form...)
		maps.Copy(out.Details.FieldErrors, e.Fields)
	}
	return out
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
