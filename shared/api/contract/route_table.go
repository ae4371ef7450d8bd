package contract

import (
	"net/http"
	"reflect"
)

// Routes is the one table of routes: the 29 rows of the contract's summary, the
// OpenAPI document's two and the second spelling of the match list, in the
// contract's order.
var Routes = []Route{
	{
		Operation: "health", Method: http.MethodGet, Path: "/health", Function: Platform,
		Output:  of[Health](),
		Summary: "Tells that the service is up; touches no dependency.",
	},
	{
		Operation: "docs", Method: http.MethodGet, Path: "/docs", Function: Platform,
		Input:   of[DocsRequest](),
		Summary: "The reference: every endpoint, its scopes and limits.",
	},
	{
		Operation: "openapiJSON", Method: http.MethodGet, Path: "/docs/openapi.json", Function: Platform,
		Summary: "The OpenAPI document in JSON.",
	},
	{
		Operation: "openapiYAML", Method: http.MethodGet, Path: "/docs/openapi.yaml", Function: Platform,
		Summary: "The OpenAPI document in YAML.",
	},
	{
		Operation: "identity", Method: http.MethodGet, Path: "/identity", Function: Platform,
		Scopes: []Scope{IdentityRead}, Tier: Default,
		Output:  of[Identity](),
		Summary: "Tells whom the key acts as and what it may do.",
	},

	{
		Operation: "uploadResume", Method: http.MethodPost, Path: "/resumes", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[ResumeFile](), Output: of[ResumeUpload](),
		Summary: "Uploads a resume to refer to in a bulk submission.",
	},
	{
		Operation: "submitCandidate", Method: http.MethodPost, Path: "/talent-network/candidates/submit", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[SubmitRequest](), Output: of[SubmitResponse](),
		Summary: "Submits one candidate with a resume; the outcome is read from the batch.",
	},
	{
		Operation: "submitBulk", Method: http.MethodPost, Path: "/talent-network/candidates/submit-bulk", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[BulkRequest](), Output: of[BulkResponse](),
		Summary: "Submits 1 to 100 candidates whose resumes were uploaded before.",
	},
	{
		Operation: "getBatch", Method: http.MethodGet, Path: "/talent-network/batches/{batchId}", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: Default,
		Input: of[BatchRequest](), Output: of[Batch](),
		Summary: "Reads the outcome of a submission, item by item.",
	},

	{
		Operation: "listCandidates", Method: http.MethodGet, Path: "/talent-network/candidates", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: Default,
		Input: of[ListCandidatesRequest](), Output: of[ListCandidatesResponse](),
		Summary: "Lists the agency's talent network, newest first.",
	},
	{
		Operation: "lookupCandidates", Method: http.MethodPost, Path: "/talent-network/candidates/lookup", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: Default,
		Input: of[LookupRequest](), Output: of[LookupResponse](),
		Summary: "Finds candidates by id, LinkedIn URL or e-mail.",
	},
	{
		Operation: "getPreferences", Method: http.MethodGet, Path: "/talent-network/candidates/{candidateUserId}/preferences", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: Default,
		Input: of[CandidateRequest](), Output: of[CandidatePreferences](),
		Summary: "Reads a candidate's work preferences.",
	},
	{
		Operation: "lookupPreferences", Method: http.MethodPost, Path: "/talent-network/candidates/preferences/lookup", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: Default,
		Input: of[LookupRequest](), Output: of[PreferencesLookupResponse](),
		Summary: "Reads the work preferences of up to 50 candidates.",
	},
	{
		Operation: "putPreferences", Method: http.MethodPut, Path: "/talent-network/candidates/{candidateUserId}/preferences", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[PutPreferencesRequest](), Output: of[CandidatePreferences](),
		Summary: "Replaces a candidate's work preferences.",
	},
	{
		Operation: "getFastTrack", Method: http.MethodGet, Path: "/talent-network/candidates/{candidateUserId}/fast-track", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: Default,
		Input: of[CandidateRequest](), Output: of[FastTrack](),
		Summary: "Reads a candidate's fast-track opt-in.",
	},
	{
		Operation: "putFastTrack", Method: http.MethodPut, Path: "/talent-network/candidates/{candidateUserId}/fast-track", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[PutFastTrackRequest](), Output: of[FastTrack](),
		Summary: "Sets a candidate's fast-track opt-in.",
	},
	{
		Operation: "offMarket", Method: http.MethodPost, Path: "/talent-network/candidates/off-market", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[MarketRequest](), Output: of[MarketResponse](),
		Summary: "Takes candidates off the auto-match market.",
	},
	{
		Operation: "reEnable", Method: http.MethodPost, Path: "/talent-network/candidates/re-enable", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: Write,
		Input: of[MarketRequest](), Output: of[MarketResponse](),
		Summary: "Puts candidates back on the auto-match market.",
	},

	{
		Operation: "listAgencyRoles", Method: http.MethodGet, Path: "/agency/roles", Function: Roles,
		KeyType: AgencyKey, Scopes: []Scope{AgencyRolesRead}, Tier: Default,
		Input: of[ListAgencyRolesRequest](), Output: of[AgencyRolesResponse](),
		Summary: "Lists roles on behalf of a member.",
	},
	{
		Operation: "searchAgencyRoles", Method: http.MethodGet, Path: "/agency/roles/search", Function: Roles,
		KeyType: AgencyKey, Scopes: []Scope{AgencyRolesRead}, Tier: Default,
		Input: of[SearchAgencyRolesRequest](), Output: of[AgencyRolesResponse](),
		Summary: "Searches roles on behalf of a member.",
	},
	{
		Operation: "getAgencyRole", Method: http.MethodGet, Path: "/agency/roles/{roleId}", Function: Roles,
		KeyType: AgencyKey, Scopes: []Scope{AgencyRolesRead}, Tier: Default,
		Input: of[AgencyRoleRequest](), Output: of[RoleBrief](),
		Summary: "Reads a role brief on behalf of a member.",
	},

	{
		Operation: "listRoles", Method: http.MethodGet, Path: "/recruiter/roles", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: Default,
		Input: of[ListRolesRequest](), Output: of[ListRolesResponse](),
		Summary: "Browses and searches roles.",
	},
	{
		Operation: "getRole", Method: http.MethodGet, Path: "/recruiter/roles/{roleId}", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: Default,
		Input: of[RoleRequest](), Output: of[RoleDetail](),
		Summary: "Reads one role in full.",
	},
	{
		Operation: "listActiveRoles", Method: http.MethodGet, Path: "/recruiter/active-roles", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: Default,
		Input: of[ActiveRolesRequest](), Output: of[ActiveRolesResponse](),
		Summary: "Lists the caller's active roles.",
	},
	{
		Operation: "getSavedPreferences", Method: http.MethodGet, Path: "/recruiter/preferences", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: Default,
		Output:  of[SavedPreferences](),
		Summary: "Reads the caller's saved role preferences.",
	},
	{
		Operation: "listCRMCandidates", Method: http.MethodGet, Path: "/recruiter/candidates", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead}, Tier: Default,
		Input: of[ListCRMCandidatesRequest](), Output: of[ListCRMCandidatesResponse](),
		Summary: "Lists and searches the caller's CRM.",
	},
	{
		Operation: "getCRMCandidate", Method: http.MethodGet, Path: "/recruiter/candidates/{candidateId}", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, SubmissionsRead}, Tier: Default,
		Input: of[CRMCandidateRequest](), Output: of[CRMCandidate](),
		Summary: "Reads one CRM candidate.",
	},
	{
		Operation: "listRecommendedRoles", Method: http.MethodGet, Path: "/recruiter/candidates/{candidateId}/recommended-roles", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, RolesRead}, Tier: Default,
		Input: of[CRMCandidateRequest](), Output: of[RecommendedRolesResponse](),
		Summary: "Recommends roles for a CRM candidate.",
	},
	{
		Operation: "listMatches", Method: http.MethodGet, Path: "/recruiter/recommendations", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, RolesRead, SubmissionsRead}, Tier: Default,
		Input: of[ListMatchesRequest](), Output: of[ListMatchesResponse](),
		Summary: "Lists the matches that hiring managers requested.",
	},
	{
		Operation: "listAutoMatches", Method: http.MethodGet, Path: "/recruiter/auto-recommendations", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, RolesRead, SubmissionsRead}, Tier: Default,
		Input: of[ListMatchesRequest](), Output: of[ListMatchesResponse](),
		Summary: "The second spelling of the match list.",
	},
	{
		Operation: "listCalls", Method: http.MethodGet, Path: "/recruiter/notetaker-calls", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead}, Tier: Default,
		Input: of[ListCallsRequest](), Output: of[ListCallsResponse](),
		Summary: "Lists the caller's recorded calls.",
	},
	{
		Operation: "getCall", Method: http.MethodGet, Path: "/recruiter/notetaker-calls/{callId}", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead}, Tier: Default,
		Input: of[CallRequest](), Output: of[RecordedCall](),
		Summary: "Reads a recorded call with its transcript.",
	},
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }
