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
	KeyID, KeyName, Last4 string
	// Environment is the key's, "live" or "test".
	Environment string
	Type        contract.KeyType
	// Principal is the id of the agency (agency key) or recruiter (personal key).
	Principal string
	// Creator is the id of the member or recruiter who created the key and may have been
	// deleted since.
	Creator string
	Scopes  []contract.Scope
	// NetworkOff says that the agency has no Talent Network access now.
	NetworkOff bool
	// PrimaryOwner is the id of the agency's primary owner that is stored with the key. With it,
	// the owner can be read together with the agency, which says whether the id is still current.
	PrimaryOwner string
	CreatedAt    time.Time
	// ExpiresAt is zero for a key without expiry.
	ExpiresAt time.Time
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
