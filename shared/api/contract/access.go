package contract

// Scope is a permission that a key carries (contract, Authentication).
type Scope string

// The seven scopes.
const (
	IdentityRead       Scope = "identity:read"
	TalentNetworkRead  Scope = "talent_network:read"
	TalentNetworkWrite Scope = "talent_network:write"
	AgencyRolesRead    Scope = "agency_roles:read"
	RolesRead          Scope = "roles:read"
	CandidatesRead     Scope = "candidates:read"
	SubmissionsRead    Scope = "submissions:read"
)

// KeyType is the type of a key's account, and so which of the two surfaces the key opens.
type KeyType string

// The key types. A route that serves both has AnyKey.
const (
	AnyKey      KeyType = ""
	AgencyKey   KeyType = "agency"
	PersonalKey KeyType = "personal"
)

// Scopes returns the scopes that a key of this type may hold, in the contract's
// order; nil for [AnyKey].
func (t KeyType) Scopes() []Scope {
	switch t {
	case AgencyKey:
		return []Scope{IdentityRead, TalentNetworkRead, TalentNetworkWrite, AgencyRolesRead}
	case PersonalKey:
		return []Scope{IdentityRead, RolesRead, CandidatesRead, SubmissionsRead}
	}
	return nil
}

// Principal returns the name that GET /identity has for the type: "agency" or
// "recruiter".
func (t KeyType) Principal() Principal {
	if t == PersonalKey {
		return "recruiter"
	}
	return Principal(t)
}

// Tier is a class of rate limit (contract, Limits). Its windows are UTC clock
// minutes; each key has one counter per tier.
type Tier struct {
	// Name is "default" or "write"; empty means no per-key limit.
	Name string
	// Limit is the number of requests a key may make in one window.
	Limit int
}

// WindowSeconds is the length of a rate window, in seconds.
const WindowSeconds = 60

// The tiers. Public routes need no key and have no per-key limit.
var (
	PublicTier  = Tier{}
	DefaultTier = Tier{Name: "default", Limit: 120}
	WriteTier   = Tier{Name: "write", Limit: 60}
)
