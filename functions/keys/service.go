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
	"io"
	"slices"
	"strings"
	"time"

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
	random       io.Reader
}

// New opens the service. It fails on a missing or malformed setting.
func New(_ context.Context, host cloud.Host) (*Service, error) {
	o := host.Opener()
	return &Service{
		host: host, environments: apikey.Environments(o), random: rand.Reader,
		accounts: account.Open(o),
	}, o.Err()
}

// Handle does what the request asks. Its error is a *fault.Error where the
// request or the account is at fault.
func (s *Service) Handle(ctx context.Context, in Request) (Response, error) {
	if err := in.checkFields(s.environments); err != nil {
		return Response{}, err
	}
	p := account.Principal{Type: in.Type, ID: in.Principal}
	now := s.host.Now()
	switch in.Action {
	case Create:
		return s.createKey(ctx, p, in, now)
	case List:
		return s.listKeys(ctx, p, in, now)
	case Revoke:
		key, err := s.accounts.RevokeKey(ctx, p, in.Actor, in.KeyID, now)
		return keyResponse(key, err, now)
	default:
		key, err := s.accounts.RenameKey(ctx, p, in.Actor, in.KeyID, in.Name)
		return keyResponse(key, err, now)
	}
}

func (s *Service) createKey(ctx context.Context, p account.Principal, in Request, now time.Time) (Response, error) {
	secret, err := apikey.Generate(s.random, in.Environment)
	if err != nil {
		return Response{}, err
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
	if err != nil {
		return Response{}, err
	}
	out := describeKey(key, now)
	return Response{Key: &out, Secret: secret}, nil
}

func (s *Service) listKeys(ctx context.Context, p account.Principal, in Request, now time.Time) (Response, error) {
	found, next, err := s.accounts.ListKeys(ctx, p, in.Actor, in.Cursor)
	if err != nil {
		return Response{}, err
	}
	out := Response{Keys: make([]Key, len(found)), NextCursor: next}
	for i, k := range found {
		out.Keys[i] = describeKey(k, now)
	}
	return out, nil
}

func keyResponse(key account.Key, err error, now time.Time) (Response, error) {
	if err != nil {
		return Response{}, err
	}
	out := describeKey(key, now)
	return Response{Key: &out}, nil
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
