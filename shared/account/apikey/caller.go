package apikey

import (
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Caller is who a request acts for, as the key's record says. It never holds the key.
type Caller struct {
	// KeyID and KeyName identify the key to people; Last4 are its last characters.
	KeyID   string `dynamo:"id"`
	KeyName string `dynamo:"name"`
	Last4   string `dynamo:"last4"`
	// Environment is the key's, "live" or "test".
	Environment string           `dynamo:"environment"`
	Type        contract.KeyType `dynamo:"type"`
	// Principal is the id of the agency (agency key) or recruiter (personal key).
	Principal string `dynamo:"principal"`
	// Creator is the id of the member or recruiter who created the key and may have been
	// deleted since.
	Creator string           `dynamo:"creator"`
	Scopes  []contract.Scope `dynamo:"scopes"`
	// NetworkOff is set while the principal is an agency without Talent Network access.
	NetworkOff bool `dynamo:"networkOff,omitempty"`
	// PrimaryOwner is the id of the agency's primary owner that is stored with the key; empty for a
	// recruiter. With it, the owner can be read together with the agency, which says whether the id
	// is still current.
	PrimaryOwner string `dynamo:"primaryOwner,omitempty"`
	// CreatedAt and ExpiresAt are epoch milliseconds; ExpiresAt is 0 for a key without expiry.
	CreatedAt int64 `dynamo:"createdAt"`
	ExpiresAt int64 `dynamo:"expiresAt,omitempty"`
}

// Expired reports whether the key has expired.
func (c Caller) Expired(now time.Time) bool {
	return c.ExpiresAt != 0 && c.ExpiresAt <= now.UnixMilli()
}

// Tenant returns the tenant that an agency key reads and writes.
func (c Caller) Tenant() tenant.ID { return tenant.Of(c.Principal, c.Environment) }

// Holds reports whether the caller's key carries every one of the scopes.
func (c Caller) Holds(scopes []contract.Scope) bool {
	return !slices.ContainsFunc(scopes, func(s contract.Scope) bool { return !slices.Contains(c.Scopes, s) })
}

// Authentication is the result of checking one request: who calls, and what is left of
// the key's window for the rate headers. It is also filled with a 429.
type Authentication struct {
	Caller Caller
	// Limit is the tier's, Remaining what is left of it after this request.
	Limit, Remaining int
	// Reset is when the window ends.
	Reset time.Time
}
