package contract

import (
	"reflect"
	"slices"
	"strings"
)

// BasePath precedes the path of every route.
const BasePath = "/api/external/v1"

// ExampleURL is the address of the service in the reference. A deployment that knows its own
// address serves the reference with that one.
const ExampleURL = "https://api.recruiting.example"

// MaxBodyBytes is the largest request body, as sent: 12 MB (contract, Limits).
const MaxBodyBytes = 12 << 20

// MaxFileBytes is the size of the largest file that a body holds in base64, with 4 KB left for the other fields.
const MaxFileBytes = (MaxBodyBytes - 4096) / 4 * 3

// Function names the deployed function that serves a route.
type Function string

// The HTTP functions.
const (
	Platform    Function = "platform"
	Submissions Function = "submissions"
	Network     Function = "network"
	Roles       Function = "roles"
	CRM         Function = "crm"
)

// Route is everything that is true of one endpoint. Gateway, local runner, deployment
// and reference read this row and nothing else.
type Route struct {
	// Operation is the unique name under which the handler is registered.
	Operation string
	Method    string
	// Path is relative to BasePath; a {name} segment is a parameter.
	Path string
	// Scopes are all required; none for a public route.
	Scopes []Scope
	// KeyType restricts the route to one surface.
	KeyType KeyType
	Tier    Tier
	// Function is where the handler lives.
	Function Function
	// Input and Output are the wire types; nil means there is none (Output: not JSON).
	Input, Output reflect.Type
	// Codes are the error codes of the handler that do not follow from the other columns.
	Codes []Code
	// Summary is the route's sentence in the reference.
	Summary string
}

// Public reports whether the route is served without a key.
func (r Route) Public() bool { return len(r.Scopes) == 0 }

// OnTalentNetwork reports whether the route needs access to the Talent Network.
func (r Route) OnTalentNetwork() bool {
	return slices.Contains(r.Scopes, TalentNetworkRead) || slices.Contains(r.Scopes, TalentNetworkWrite)
}

// FindRoute returns the row of an operation. It panics if there is none: operations
// are named in code, never by a request.
func FindRoute(operation string) Route {
	i := slices.IndexFunc(Routes, func(r Route) bool { return r.Operation == operation })
	if i < 0 {
		panic("contract: no operation " + operation)
	}
	return Routes[i]
}

// Routes holds every route, in the contract's order, with the other pages of the reference after /docs; those of its
// extensions are the last ones.
var Routes = []Route{
	route[none, Health]("health", "GET /health",
		Platform, public, "Liveness check; touches no dependencies."),
	route[DocsRequest, none]("docs", "GET /docs",
		Platform, public, "The reference: every endpoint, its scopes and limits."),
	route[DocsPageRequest, none]("docsPage", "GET /docs/{page}",
		Platform, public, "A page of the reference, such as all endpoints of a resource."),
	route[none, none]("openapiJSON", "GET /docs/openapi.json",
		Platform, public, "The OpenAPI document in JSON."),
	route[none, none]("openapiYAML", "GET /docs/openapi.yaml",
		Platform, public, "The OpenAPI document in YAML."),
	route[none, none]("docsMarkdown", "GET /docs.md",
		Platform, public, "The reference in Markdown."),
	route[none, none]("llms", "GET /llms.txt",
		Platform, public, "Index of the machine-readable docs, for LLM agents."),
	route[none, none]("changeFeed", "GET /docs/changes.atom",
		Platform, public, "The changelog as an Atom feed."),
	route[none, Identity]("identity", "GET /identity",
		Platform, anyKey(IdentityRead), "Returns the key's principal, scopes and limits."),

	route[ResumeFile, ResumeUpload]("uploadResume", "POST /resumes",
		Submissions, agency(TalentNetworkWrite), "Uploads a resume to refer to in a bulk submission."),
	route[SubmitRequest, SubmitResponse]("submitCandidate", "POST /talent-network/candidates/submit",
		Submissions, agency(TalentNetworkWrite), "Submits one candidate with a resume; the outcome is read from the batch."),
	route[BulkRequest, BulkResponse]("submitBulk", "POST /talent-network/candidates/submit-bulk",
		Submissions, agency(TalentNetworkWrite), "Submits 1 to 100 candidates with uploaded resumes."),
	route[BatchRequest, Batch]("getBatch", "GET /talent-network/batches/{batchId}",
		Submissions, agency(TalentNetworkRead), "Reads the outcome of a submission, item by item."),

	route[ListCandidatesRequest, CandidateList]("listCandidates", "GET /talent-network/candidates",
		Network, agency(TalentNetworkRead), "Lists the agency's talent network, newest first."),
	route[LookupRequest, LookupResponse]("lookupCandidates", "POST /talent-network/candidates/lookup",
		Network, agency(TalentNetworkRead), "Finds candidates by id, LinkedIn URL or e-mail."),
	route[CandidateRequest, CandidatePreferences]("getPreferences", "GET /talent-network/candidates/{candidateUserId}/preferences",
		Network, agency(TalentNetworkRead), "Reads a candidate's work preferences."),
	route[LookupRequest, PreferencesLookupResponse]("lookupPreferences", "POST /talent-network/candidates/preferences/lookup",
		Network, agency(TalentNetworkRead), "Reads the work preferences of up to 50 candidates."),
	route[PutPreferencesRequest, CandidatePreferences]("putPreferences", "PUT /talent-network/candidates/{candidateUserId}/preferences",
		Network, agency(TalentNetworkWrite), "Replaces a candidate's work preferences."),
	route[CandidateRequest, FastTrack]("getFastTrack", "GET /talent-network/candidates/{candidateUserId}/fast-track",
		Network, agency(TalentNetworkRead), "Reads a candidate's fast-track opt-in.", FastTrackDisabled),
	route[PutFastTrackRequest, FastTrack]("putFastTrack", "PUT /talent-network/candidates/{candidateUserId}/fast-track",
		Network, agency(TalentNetworkWrite), "Sets a candidate's fast-track opt-in.", FastTrackDisabled, KeyOwnerMismatch),
	route[MarketRequest, MarketResponse]("offMarket", "POST /talent-network/candidates/off-market",
		Network, agency(TalentNetworkWrite), "Takes candidates off the auto-match market."),
	route[MarketRequest, MarketResponse]("reEnable", "POST /talent-network/candidates/re-enable",
		Network, agency(TalentNetworkWrite), "Puts candidates back on the auto-match market."),

	route[ListAgencyRolesRequest, AgencyRolesResponse]("listAgencyRoles", "GET /agency/roles",
		Roles, agency(AgencyRolesRead), "Lists roles on behalf of a member."),
	route[SearchAgencyRolesRequest, AgencyRolesResponse]("searchAgencyRoles", "GET /agency/roles/search",
		Roles, agency(AgencyRolesRead), "Searches roles on behalf of a member."),
	route[AgencyRoleRequest, RoleBrief]("getAgencyRole", "GET /agency/roles/{roleId}",
		Roles, agency(AgencyRolesRead), "Reads a role brief on behalf of a member."),

	route[ListRolesRequest, RoleList]("listRoles", "GET /recruiter/roles",
		Roles, personal(RolesRead), "Browses and searches roles."),
	route[RoleRequest, RoleDetail]("getRole", "GET /recruiter/roles/{roleId}",
		Roles, personal(RolesRead), "Reads one role in full."),
	route[ActiveRolesRequest, ActiveRolesResponse]("listActiveRoles", "GET /recruiter/active-roles",
		Roles, personal(RolesRead), "Lists the caller's active roles."),
	route[none, SavedPreferences]("getSavedPreferences", "GET /recruiter/preferences",
		Roles, personal(RolesRead), "Reads the caller's saved role preferences."),
	route[ListCRMCandidatesRequest, CRMCandidateList]("listCRMCandidates", "GET /recruiter/candidates",
		CRM, personal(CandidatesRead), "Lists and searches the caller's CRM."),
	route[CRMCandidateRequest, CRMCandidate]("getCRMCandidate", "GET /recruiter/candidates/{candidateId}",
		CRM, personal(CandidatesRead, SubmissionsRead), "Reads one CRM candidate."),
	route[CRMCandidateRequest, RecommendedRolesResponse]("listRecommendedRoles", "GET /recruiter/candidates/{candidateId}/recommended-roles",
		Roles, personal(CandidatesRead, RolesRead), "Recommends roles for a CRM candidate."),
	route[ListMatchesRequest, MatchList]("listMatches", "GET /recruiter/recommendations",
		CRM, personal(CandidatesRead, RolesRead, SubmissionsRead), "Lists the matches that hiring managers requested."),
	route[ListMatchesRequest, MatchList]("listAutoMatches", "GET /recruiter/auto-recommendations",
		CRM, personal(CandidatesRead, RolesRead, SubmissionsRead), "Alias of GET /recruiter/recommendations."),
	route[ListCallsRequest, CallList]("listCalls", "GET /recruiter/notetaker-calls",
		CRM, personal(CandidatesRead), "Lists the caller's recorded calls."),
	route[CallRequest, RecordedCall]("getCall", "GET /recruiter/notetaker-calls/{callId}",
		CRM, personal(CandidatesRead), "Reads a recorded call with its transcript."),

	route[ListBatchesRequest, BatchList]("listBatches", "GET /talent-network/batches",
		Submissions, agency(TalentNetworkRead), "Lists the agency's batches, newest first."),
	route[ListChangesRequest, ChangeList]("listChanges", "GET /talent-network/changes",
		Network, agency(TalentNetworkRead), "Lists changes of submissions and candidates, in order.", CursorExpired),
	route[none, Enumerations]("listEnumerations", "GET /enumerations",
		Platform, anyKey(IdentityRead), "Lists all enumerations with display names."),
	route[ListMembersRequest, MemberList]("listMembers", "GET /agency/members",
		Platform, agency(IdentityRead), "Lists the agency's members and the addresses that recruiterEmail accepts."),
	route[CandidateRequest, Candidate]("getCandidate", "GET /talent-network/candidates/{candidateUserId}",
		Network, agency(TalentNetworkRead), "Reads one candidate in full."),
}

// route returns a row. The pattern is a method and a path; In and Out are the wire types, or none.
func route[In, Out any](operation, pattern string, function Function, a access, summary string, codes ...Code) Route {
	method, path, _ := strings.Cut(pattern, " ")
	return Route{
		Operation: operation, Method: method, Path: path, Function: function, KeyType: a.keyType, Scopes: a.scopes, Tier: a.tier,
		Input: typeOf[In](), Output: typeOf[Out](), Codes: codes, Summary: summary,
	}
}

// none is the wire type of what a route does not have.
type none struct{}

func typeOf[T any]() reflect.Type {
	t := reflect.TypeFor[T]()
	if t == reflect.TypeFor[none]() {
		return nil
	}
	return t
}

// access says which keys may call a route, and by which tier they are limited.
type access struct {
	keyType KeyType
	scopes  []Scope
	tier    Tier
}

// public is the access without a key.
var public = access{tier: PublicTier}

func anyKey(scopes ...Scope) access   { return keyWith(AnyKey, scopes) }
func agency(scopes ...Scope) access   { return keyWith(AgencyKey, scopes) }
func personal(scopes ...Scope) access { return keyWith(PersonalKey, scopes) }

// keyWith is the access of keys with all of the scopes. What needs the scope to write counts in the tier of writes.
func keyWith(t KeyType, scopes []Scope) access {
	if slices.Contains(scopes, TalentNetworkWrite) {
		return access{t, scopes, WriteTier}
	}
	return access{t, scopes, DefaultTier}
}

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
