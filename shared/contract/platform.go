package contract

// Health is the answer of GET /health.
type Health struct {
	// Status is always "ok": a function that answers is up.
	Status  string `json:"status"`
	Version string `json:"version"`
	Time    Time   `json:"time"`
}

// Identity is the answer of GET /identity (contract, GET /identity).
type Identity struct {
	// Principal is "agency" or "recruiter".
	Principal   string             `json:"principal"`
	Scopes      []Scope            `json:"scopes"`
	Environment string             `json:"environment"`
	APIVersion  string             `json:"apiVersion"`
	Key         IdentityKey        `json:"key"`
	Agency      *IdentityAgency    `json:"agency"`
	Recruiter   *IdentityRecruiter `json:"recruiter"`
	RateLimits  IdentityRateLimits `json:"rateLimits"`
}

// IdentityKey describes the calling key, never the key itself.
type IdentityKey struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Last4     string          `json:"last4"`
	CreatedAt Time            `json:"createdAt"`
	ExpiresAt *Time           `json:"expiresAt"`
	CreatedBy IdentityCreator `json:"createdBy"`
}

// IdentityCreator is the person who created the key.
type IdentityCreator struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// IdentityAgency is set for agency keys.
type IdentityAgency struct {
	ID                      string `json:"id"`
	Name                    string `json:"name"`
	TalentNetworkAccess     bool   `json:"talentNetworkAccess"`
	TalentNetworkManagement bool   `json:"talentNetworkManagement"`
}

// IdentityRecruiter is set for personal keys.
type IdentityRecruiter struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Email    string  `json:"email"`
	AgencyID *string `json:"agencyId"`
}

// IdentityRateLimits tells both tiers.
type IdentityRateLimits struct {
	Default IdentityRateLimit `json:"default"`
	Write   IdentityRateLimit `json:"write"`
}

// IdentityRateLimit is one tier's limit per window.
type IdentityRateLimit struct {
	Limit         int `json:"limit"`
	WindowSeconds int `json:"windowSeconds"`
}
