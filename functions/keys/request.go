package keys

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
