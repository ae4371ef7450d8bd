package console

import (
	"net/http"
	"strings"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type shownKey struct {
	keys.Key
	AgencyID string `json:"agencyId"`
}

func (c *Console) listKeys(r *http.Request) (any, error) {
	all := []shownKey{}
	list := func(kind contract.KeyType, a demo.Agency) error {
		out, err := c.keys.Handle(r.Context(), newKeysRequest(keys.List, kind, a))
		for _, key := range out.Keys {
			all = append(all, shownKey{key, a.ID})
		}
		return err
	}
	for _, a := range demo.Agencies() {
		if err := list(contract.AgencyKey, a); err != nil {
			return nil, err
		}
	}
	err := list(contract.PersonalKey, agencyNamed(demo.AgencyID))
	return all, err
}

// keyRequest is a key to be created, or names one; the agency is the demo's if it names none.
type keyRequest struct {
	Type        contract.KeyType `json:"type"`
	AgencyID    string           `json:"agencyId"`
	ID          string           `json:"id"`
	Name        string           `json:"name"`
	Environment string           `json:"environment"`
}

// createKey creates a key with all scopes of its type. The answer is the only place where the key is.
func (c *Console) createKey(r *http.Request, in keyRequest) (any, error) {
	request := newKeysRequest(keys.Create, in.Type, agencyNamed(in.AgencyID))
	request.Name = in.Name
	request.Environment = in.Environment
	request.Scopes = in.Type.Scopes()
	return c.keys.Handle(r.Context(), request)
}

func (c *Console) revokeKey(r *http.Request, in keyRequest) (any, error) {
	request := newKeysRequest(keys.Revoke, in.Type, agencyNamed(in.AgencyID))
	request.KeyID = in.ID
	return c.keys.Handle(r.Context(), request)
}

// readRunKeys returns the keys that the run printed at its start, none before it has published them. It is a change, although it
// changes nothing, so that secrets are answered to a request with the page's token only.
func (c *Console) readRunKeys(*http.Request) (any, error) {
	env, err := envfile.Read(c.config.EnvFile)
	secrets := []struct {
		kind contract.KeyType
		text string
	}{{contract.AgencyKey, env["AGENCY_KEY"]}, {contract.PersonalKey, env["RECRUITER_KEY"]}}
	found := []map[string]any{}
	for _, secret := range secrets {
		if parts := strings.Split(secret.text, "_"); len(parts) > 2 {
			found = append(found, map[string]any{"type": secret.kind, "environment": parts[1], "agencyId": demo.AgencyID, "secret": secret.text})
		}
	}
	return found, err
}

// newKeysRequest returns a request of the agency's owner, or of the demo's recruiter about personal keys.
func newKeysRequest(action keys.Action, kind contract.KeyType, of demo.Agency) keys.Request {
	request := keys.Request{Action: action, Type: kind, Principal: of.ID, Actor: of.PrimaryOwner}
	if kind == contract.PersonalKey {
		request.Principal = demo.OwnerID
		request.Actor = demo.OwnerID
	}
	return request
}
