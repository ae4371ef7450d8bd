package contract

// Health is the response of GET /health.
type Health struct {
	Status  string `json:"status" check:"const=ok" doc:"Always \"ok\"."`
	Version string `json:"version" doc:"The deployed version."`
	Time    Time   `json:"time" doc:"Time of the response."`
}

// DocsRequest asks for the reference in one of its two forms.
type DocsRequest struct {
	Accept string `header:"Accept" doc:"application/json selects the OpenAPI document; otherwise the HTML page is returned."`
}

// DocsPageRequest asks for a page of the reference, or for a file that the pages load.
type DocsPageRequest struct {
	Page string `path:"page" check:"required,min=1" doc:"The name in the links of GET /docs."`
}

// Identity is the response of GET /identity (contract, GET /identity).
type Identity struct {
	Principal   Principal          `json:"principal" check:"enum=principal" doc:"Principal that the key acts as."`
	Scopes      []Scope            `json:"scopes" check:"enum=scope" doc:"Scopes of the key."`
	Environment string             `json:"environment" doc:"The key's environment, such as live or test."`
	APIVersion  string             `json:"apiVersion" doc:"The version in the path."`
	Key         IdentityKey        `json:"key" doc:"The calling key, without its secret."`
	Agency      *IdentityAgency    `json:"agency" doc:"Set for agency keys."`
	Recruiter   *IdentityRecruiter `json:"recruiter" doc:"Set for personal keys."`
	RateLimits  IdentityRateLimits `json:"rateLimits" doc:"The limits of both tiers."`
}

// IdentityKey describes the calling key, never the key itself.
type IdentityKey struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Last4     string          `json:"last4" doc:"The key's last four characters."`
	CreatedAt Time            `json:"createdAt"`
	ExpiresAt *Time           `json:"expiresAt" doc:"Null when the key does not expire."`
	CreatedBy IdentityCreator `json:"createdBy"`
}

// IdentityCreator is the person who created the key; empty if the member was deleted.
type IdentityCreator struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// IdentityAgency is set for agency keys.
type IdentityAgency struct {
	ID                      string `json:"id"`
	Name                    string `json:"name"`
	TalentNetworkAccess     bool   `json:"talentNetworkAccess" doc:"Whether keys can have talent_network scopes and call the talent-network endpoints."`
	TalentNetworkManagement bool   `json:"talentNetworkManagement" doc:"Whether candidates may be submitted and taken off the market."`
}

// IdentityRecruiter is set for personal keys.
type IdentityRecruiter struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Email    string  `json:"email"`
	AgencyID *string `json:"agencyId" doc:"The recruiter's agency, or null."`
}

// IdentityRateLimits holds the limits of both tiers.
type IdentityRateLimits struct {
	Default IdentityRateLimit `json:"default"`
	Write   IdentityRateLimit `json:"write"`
}

// IdentityRateLimit is one tier's limit per window.
type IdentityRateLimit struct {
	Limit         int `json:"limit" doc:"Requests allowed per key and window."`
	WindowSeconds int `json:"windowSeconds"`
}

// ListMembersRequest asks for a page of the agency's members.
type ListMembersRequest struct {
	Limit  int64   `query:"limit" check:"limit=50/100" doc:"Members per page."`
	Cursor *string `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page."`
}

// MemberList is a page of members (contract, GET /agency/members).
type MemberList struct {
	Members    []AgencyMember `json:"members" doc:"By e-mail address; a page can be short or empty before the end."`
	NextCursor *string        `json:"nextCursor" doc:"Null on the last page."`
}

// AgencyMember is a recruiter of the agency.
type AgencyMember struct {
	Name         string       `json:"name"`
	Email        string       `json:"email" doc:"Send it as recruiterEmail."`
	Role         MemberRole   `json:"role" check:"enum=memberRole" doc:"Owners may administer the agency's keys."`
	PrimaryOwner bool         `json:"primaryOwner" doc:"Whether candidates belong to this member when a submission has no recruiterEmail."`
	Status       MemberStatus `json:"status" check:"enum=memberStatus" doc:"Only an approved member is accepted as recruiterEmail."`
}
