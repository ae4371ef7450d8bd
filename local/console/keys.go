package console

import (
	"net/http"
	"strings"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// principals own the keys that the console administers: the demo agency, and its owner as a
// recruiter.
var principals = map[contract.KeyType]string{contract.AgencyKey: demo.AgencyID, contract.PersonalKey: demo.OwnerID}

// listKeys returns the newest keys of both types, of any status.
func (c *Console) listKeys(r *http.Request) (any, error) {
	all := []keys.Key{}
	for _, kind := range []contract.KeyType{contract.AgencyKey, contract.PersonalKey} {
		out, err := c.keys.Handle(r.Context(), newKeysRequest(keys.List, kind))
		if err != nil {
			return nil, err
		}
		all = append(all, out.Keys...)
	}
	return all, nil
}

// newKey is a key to be created.
type newKey struct {
	Name        string           `json:"name"`
	Type        contract.KeyType `json:"type"`
	Environment string           `json:"environment"`
}

// createKey creates a key with all scopes of its type. The answer is the only place where the key
// is.
func (c *Console) createKey(r *http.Request, in newKey) (any, error) {
	request := newKeysRequest(keys.Create, in.Type)
	request.Name = in.Name
	request.Environment = in.Environment
	request.Scopes = in.Type.Scopes()
	return c.keys.Handle(r.Context(), request)
}

// knownKey names a key.
type knownKey struct {
	Type contract.KeyType `json:"type"`
	ID   string           `json:"id"`
}

// revokeKey revokes a key; it stops at once.
func (c *Console) revokeKey(r *http.Request, in knownKey) (any, error) {
	request := newKeysRequest(keys.Revoke, in.Type)
	request.KeyID = in.ID
	return c.keys.Handle(r.Context(), request)
}

// runKey is a key that the run printed at its start.
type runKey struct {
	Type        contract.KeyType `json:"type"`
	Environment string           `json:"environment"`
	Secret      string           `json:"secret"`
}

// readRunKeys returns the keys of the run, none before it has published them. It is a change, although it
// changes nothing, so that secrets are answered to a request with the page's token only.
func (c *Console) readRunKeys(*http.Request) (any, error) {
	env, err := envfile.Read(c.config.EnvFile)
	found := []runKey{}
	for _, key := range []runKey{
		{Type: contract.AgencyKey, Secret: env["AGENCY_KEY"]},
		{Type: contract.PersonalKey, Secret: env["RECRUITER_KEY"]},
	} {
		if parts := strings.Split(key.Secret, "_"); len(parts) > 2 {
			key.Environment = parts[1]
			found = append(found, key)
		}
	}
	return found, err
}

func newKeysRequest(action keys.Action, kind contract.KeyType) keys.Request {
	return keys.Request{Action: action, Type: kind, Principal: principals[kind], Actor: demo.OwnerID}
}
