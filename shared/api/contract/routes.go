package contract

import (
	"net/http"
	"reflect"
)

// BasePath precedes every path of the table.
const BasePath = "/api/external/v1"

// MaxBodyBytes is the largest request body, as sent: 12 MB (contract, Limits).
const MaxBodyBytes = 12 << 20

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

// Route says everything that is true of one endpoint. The gateway, the local
// runner, the deployment and the reference read this row and nothing else.
type Route struct {
	// Operation is the unique name that handlers are registered under.
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
	// Summary is the route's sentence in the reference.
	Summary string
}

// Public tells whether the route is served without a key.
func (r Route) Public() bool { return len(r.Scopes) == 0 }

// Routes is the one table of routes: the 29 rows of the contract's summary, the
// OpenAPI document's two and the second spelling of the match list, in the
// contract's order.
var Routes = []Route{
	{"health", get, "/health", nil, AnyKey, Public, Platform, nil, of[Health](), "Tells that the service is up; touches no dependency."},
	{"docs", get, "/docs", nil, AnyKey, Public, Platform, of[DocsRequest](), nil, "The reference: every endpoint, its scopes and limits."},
	{"openapiJSON", get, "/docs/openapi.json", nil, AnyKey, Public, Platform, nil, nil, "The OpenAPI document in JSON."},
	{"openapiYAML", get, "/docs/openapi.yaml", nil, AnyKey, Public, Platform, nil, nil, "The OpenAPI document in YAML."},
	{"identity", get, "/identity", scopes(IdentityRead), AnyKey, Default, Platform, nil, of[Identity](), "Tells whom the key acts as and what it may do."},

	{"uploadResume", post, "/resumes", scopes(TalentNetworkWrite), AgencyKey, Write, Submissions, of[ResumeFile](), of[ResumeUpload](), "Uploads a resume to refer to in a bulk submission."},
	{"submitCandidate", post, "/talent-network/candidates/submit", scopes(TalentNetworkWrite), AgencyKey, Write, Submissions, of[SubmitRequest](), of[SubmitResponse](), "Submits one candidate with a resume; the outcome is read from the batch."},
	{"submitBulk", post, "/talent-network/candidates/submit-bulk", scopes(TalentNetworkWrite), AgencyKey, Write, Submissions, of[BulkRequest](), of[BulkResponse](), "Submits 1 to 100 candidates whose resumes were uploaded before."},
	{"getBatch", get, "/talent-network/batches/{batchId}", scopes(TalentNetworkRead), AgencyKey, Default, Submissions, of[BatchRequest](), of[Batch](), "Reads the outcome of a submission, item by item."},

	{"listCandidates", get, "/talent-network/candidates", scopes(TalentNetworkRead), AgencyKey, Default, Network, of[ListCandidatesRequest](), of[ListCandidatesResponse](), "Lists the agency's talent network, newest first."},
	{"lookupCandidates", post, "/talent-network/candidates/lookup", scopes(TalentNetworkRead), AgencyKey, Default, Network, of[LookupRequest](), of[LookupResponse](), "Finds candidates by id, LinkedIn URL or e-mail."},
	{"getPreferences", get, "/talent-network/candidates/{candidateUserId}/preferences", scopes(TalentNetworkRead), AgencyKey, Default, Network, of[CandidateRequest](), of[CandidatePreferences](), "Reads a candidate's work preferences."},
	{"lookupPreferences", post, "/talent-network/candidates/preferences/lookup", scopes(TalentNetworkRead), AgencyKey, Default, Network, of[LookupRequest](), of[PreferencesLookupResponse](), "Reads the work preferences of up to 50 candidates."},
	{"putPreferences", put, "/talent-network/candidates/{candidateUserId}/preferences", scopes(TalentNetworkWrite), AgencyKey, Write, Network, of[PutPreferencesRequest](), of[CandidatePreferences](), "Replaces a candidate's work preferences."},
	{"getFastTrack", get, "/talent-network/candidates/{candidateUserId}/fast-track", scopes(TalentNetworkRead), AgencyKey, Default, Network, of[CandidateRequest](), of[FastTrack](), "Reads a candidate's fast-track opt-in."},
	{"putFastTrack", put, "/talent-network/candidates/{candidateUserId}/fast-track", scopes(TalentNetworkWrite), AgencyKey, Write, Network, of[PutFastTrackRequest](), of[FastTrack](), "Sets a candidate's fast-track opt-in."},
	{"offMarket", post, "/talent-network/candidates/off-market", scopes(TalentNetworkWrite), AgencyKey, Write, Network, of[MarketRequest](), of[MarketResponse](), "Takes candidates off the auto-match market."},
	{"reEnable", post, "/talent-network/candidates/re-enable", scopes(TalentNetworkWrite), AgencyKey, Write, Network, of[MarketRequest](), of[MarketResponse](), "Puts candidates back on the auto-match market."},

	{"listAgencyRoles", get, "/agency/roles", scopes(AgencyRolesRead), AgencyKey, Default, Roles, of[ListAgencyRolesRequest](), of[AgencyRolesResponse](), "Lists roles on behalf of a member."},
	{"searchAgencyRoles", get, "/agency/roles/search", scopes(AgencyRolesRead), AgencyKey, Default, Roles, of[SearchAgencyRolesRequest](), of[AgencyRolesResponse](), "Searches roles on behalf of a member."},
	{"getAgencyRole", get, "/agency/roles/{roleId}", scopes(AgencyRolesRead), AgencyKey, Default, Roles, of[AgencyRoleRequest](), of[RoleBrief](), "Reads a role brief on behalf of a member."},

	{"listRoles", get, "/recruiter/roles", scopes(RolesRead), PersonalKey, Default, Roles, of[ListRolesRequest](), of[ListRolesResponse](), "Browses and searches roles."},
	{"getRole", get, "/recruiter/roles/{roleId}", scopes(RolesRead), PersonalKey, Default, Roles, of[RoleRequest](), of[RoleDetail](), "Reads one role in full."},
	{"listActiveRoles", get, "/recruiter/active-roles", scopes(RolesRead), PersonalKey, Default, Roles, of[ActiveRolesRequest](), of[ActiveRolesResponse](), "Lists the caller's active roles."},
	{"getSavedPreferences", get, "/recruiter/preferences", scopes(RolesRead), PersonalKey, Default, Roles, nil, of[SavedPreferences](), "Reads the caller's saved role preferences."},
	{"listCRMCandidates", get, "/recruiter/candidates", scopes(CandidatesRead), PersonalKey, Default, CRM, of[ListCRMCandidatesRequest](), of[ListCRMCandidatesResponse](), "Lists and searches the caller's CRM."},
	{"getCRMCandidate", get, "/recruiter/candidates/{candidateId}", scopes(CandidatesRead, SubmissionsRead), PersonalKey, Default, CRM, of[CRMCandidateRequest](), of[CRMCandidate](), "Reads one CRM candidate."},
	{"listRecommendedRoles", get, "/recruiter/candidates/{candidateId}/recommended-roles", scopes(CandidatesRead, RolesRead), PersonalKey, Default, Roles, of[CRMCandidateRequest](), of[RecommendedRolesResponse](), "Recommends roles for a CRM candidate."},
	{"listMatches", get, "/recruiter/recommendations", scopes(CandidatesRead, RolesRead, SubmissionsRead), PersonalKey, Default, CRM, of[ListMatchesRequest](), of[ListMatchesResponse](), "Lists the matches that hiring managers requested."},
	{"listAutoMatches", get, "/recruiter/auto-recommendations", scopes(CandidatesRead, RolesRead, SubmissionsRead), PersonalKey, Default, CRM, of[ListMatchesRequest](), of[ListMatchesResponse](), "The second spelling of the match list."},
	{"listCalls", get, "/recruiter/notetaker-calls", scopes(CandidatesRead), PersonalKey, Default, CRM, of[ListCallsRequest](), of[ListCallsResponse](), "Lists the caller's recorded calls."},
	{"getCall", get, "/recruiter/notetaker-calls/{callId}", scopes(CandidatesRead), PersonalKey, Default, CRM, of[CallRequest](), of[RecordedCall](), "Reads a recorded call with its transcript."},
}

const (
	get  = http.MethodGet
	post = http.MethodPost
	put  = http.MethodPut
)

func scopes(s ...Scope) []Scope { return s }

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }
