package contract

import (
	"net/http"
	"reflect"
)

// Routes holds every route, in the contract's order: the 29 rows of its summary, the
// six of the reference's pages and other forms and the second spelling of the match list; then those of its
// extensions.
var Routes = []Route{
	{
		Operation: "health", Method: http.MethodGet, Path: "/health", Function: Platform,
		Output:  typeOf[Health](),
		Summary: "Liveness check; touches no dependencies.",
	},
	{
		Operation: "docs", Method: http.MethodGet, Path: "/docs", Function: Platform,
		Input:   typeOf[DocsRequest](),
		Summary: "The reference: every endpoint, its scopes and limits.",
	},
	{
		Operation: "docsPage", Method: http.MethodGet, Path: "/docs/{page}", Function: Platform,
		Input:   typeOf[DocsPageRequest](),
		Summary: "A page of the reference, such as all endpoints of a resource.",
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
		Operation: "docsMarkdown", Method: http.MethodGet, Path: "/docs.md", Function: Platform,
		Summary: "The reference in Markdown.",
	},
	{
		Operation: "llms", Method: http.MethodGet, Path: "/llms.txt", Function: Platform,
		Summary: "Index of the machine-readable docs, for LLM agents.",
	},
	{
		Operation: "changeFeed", Method: http.MethodGet, Path: "/docs/changes.atom", Function: Platform,
		Summary: "The changelog as an Atom feed.",
	},
	{
		Operation: "identity", Method: http.MethodGet, Path: "/identity", Function: Platform,
		Scopes: []Scope{IdentityRead}, Tier: DefaultTier,
		Output:  typeOf[Identity](),
		Summary: "Returns the key's principal, scopes and limits.",
	},

	{
		Operation: "uploadResume", Method: http.MethodPost, Path: "/resumes", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[ResumeFile](), Output: typeOf[ResumeUpload](),
		Summary: "Uploads a resume to refer to in a bulk submission.",
	},
	{
		Operation: "submitCandidate", Method: http.MethodPost, Path: "/talent-network/candidates/submit", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[SubmitRequest](), Output: typeOf[SubmitResponse](),
		Summary: "Submits one candidate with a resume; the outcome is read from the batch.",
	},
	{
		Operation: "submitBulk", Method: http.MethodPost, Path: "/talent-network/candidates/submit-bulk", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[BulkRequest](), Output: typeOf[BulkResponse](),
		Summary: "Submits 1 to 100 candidates with uploaded resumes.",
	},
	{
		Operation: "getBatch", Method: http.MethodGet, Path: "/talent-network/batches/{batchId}", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[BatchRequest](), Output: typeOf[Batch](),
		Summary: "Reads the outcome of a submission, item by item.",
	},

	{
		Operation: "listCandidates", Method: http.MethodGet, Path: "/talent-network/candidates", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[ListCandidatesRequest](), Output: typeOf[CandidateList](),
		Summary: "Lists the agency's talent network, newest first.",
	},
	{
		Operation: "lookupCandidates", Method: http.MethodPost, Path: "/talent-network/candidates/lookup", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[LookupRequest](), Output: typeOf[LookupResponse](),
		Summary: "Finds candidates by id, LinkedIn URL or e-mail.",
	},
	{
		Operation: "getPreferences", Method: http.MethodGet, Path: "/talent-network/candidates/{candidateUserId}/preferences", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[CandidateRequest](), Output: typeOf[CandidatePreferences](),
		Summary: "Reads a candidate's work preferences.",
	},
	{
		Operation: "lookupPreferences", Method: http.MethodPost, Path: "/talent-network/candidates/preferences/lookup", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[LookupRequest](), Output: typeOf[PreferencesLookupResponse](),
		Summary: "Reads the work preferences of up to 50 candidates.",
	},
	{
		Operation: "putPreferences", Method: http.MethodPut, Path: "/talent-network/candidates/{candidateUserId}/preferences", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[PutPreferencesRequest](), Output: typeOf[CandidatePreferences](),
		Summary: "Replaces a candidate's work preferences.",
	},
	{
		Operation: "getFastTrack", Method: http.MethodGet, Path: "/talent-network/candidates/{candidateUserId}/fast-track", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[CandidateRequest](), Output: typeOf[FastTrack](),
		Codes:   []Code{FastTrackDisabled},
		Summary: "Reads a candidate's fast-track opt-in.",
	},
	{
		Operation: "putFastTrack", Method: http.MethodPut, Path: "/talent-network/candidates/{candidateUserId}/fast-track", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[PutFastTrackRequest](), Output: typeOf[FastTrack](),
		Codes:   []Code{FastTrackDisabled, KeyOwnerMismatch},
		Summary: "Sets a candidate's fast-track opt-in.",
	},
	{
		Operation: "offMarket", Method: http.MethodPost, Path: "/talent-network/candidates/off-market", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[MarketRequest](), Output: typeOf[MarketResponse](),
		Summary: "Takes candidates off the auto-match market.",
	},
	{
		Operation: "reEnable", Method: http.MethodPost, Path: "/talent-network/candidates/re-enable", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkWrite}, Tier: WriteTier,
		Input: typeOf[MarketRequest](), Output: typeOf[MarketResponse](),
		Summary: "Puts candidates back on the auto-match market.",
	},

	{
		Operation: "listAgencyRoles", Method: http.MethodGet, Path: "/agency/roles", Function: Roles,
		KeyType: AgencyKey, Scopes: []Scope{AgencyRolesRead}, Tier: DefaultTier,
		Input: typeOf[ListAgencyRolesRequest](), Output: typeOf[AgencyRolesResponse](),
		Summary: "Lists roles on behalf of a member.",
	},
	{
		Operation: "searchAgencyRoles", Method: http.MethodGet, Path: "/agency/roles/search", Function: Roles,
		KeyType: AgencyKey, Scopes: []Scope{AgencyRolesRead}, Tier: DefaultTier,
		Input: typeOf[SearchAgencyRolesRequest](), Output: typeOf[AgencyRolesResponse](),
		Summary: "Searches roles on behalf of a member.",
	},
	{
		Operation: "getAgencyRole", Method: http.MethodGet, Path: "/agency/roles/{roleId}", Function: Roles,
		KeyType: AgencyKey, Scopes: []Scope{AgencyRolesRead}, Tier: DefaultTier,
		Input: typeOf[AgencyRoleRequest](), Output: typeOf[RoleBrief](),
		Summary: "Reads a role brief on behalf of a member.",
	},

	{
		Operation: "listRoles", Method: http.MethodGet, Path: "/recruiter/roles", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: DefaultTier,
		Input: typeOf[ListRolesRequest](), Output: typeOf[RoleList](),
		Summary: "Browses and searches roles.",
	},
	{
		Operation: "getRole", Method: http.MethodGet, Path: "/recruiter/roles/{roleId}", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: DefaultTier,
		Input: typeOf[RoleRequest](), Output: typeOf[RoleDetail](),
		Summary: "Reads one role in full.",
	},
	{
		Operation: "listActiveRoles", Method: http.MethodGet, Path: "/recruiter/active-roles", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: DefaultTier,
		Input: typeOf[ActiveRolesRequest](), Output: typeOf[ActiveRolesResponse](),
		Summary: "Lists the caller's active roles.",
	},
	{
		Operation: "getSavedPreferences", Method: http.MethodGet, Path: "/recruiter/preferences", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{RolesRead}, Tier: DefaultTier,
		Output:  typeOf[SavedPreferences](),
		Summary: "Reads the caller's saved role preferences.",
	},
	{
		Operation: "listCRMCandidates", Method: http.MethodGet, Path: "/recruiter/candidates", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead}, Tier: DefaultTier,
		Input: typeOf[ListCRMCandidatesRequest](), Output: typeOf[CRMCandidateList](),
		Summary: "Lists and searches the caller's CRM.",
	},
	{
		Operation: "getCRMCandidate", Method: http.MethodGet, Path: "/recruiter/candidates/{candidateId}", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, SubmissionsRead}, Tier: DefaultTier,
		Input: typeOf[CRMCandidateRequest](), Output: typeOf[CRMCandidate](),
		Summary: "Reads one CRM candidate.",
	},
	{
		Operation: "listRecommendedRoles", Method: http.MethodGet, Path: "/recruiter/candidates/{candidateId}/recommended-roles", Function: Roles,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, RolesRead}, Tier: DefaultTier,
		Input: typeOf[CRMCandidateRequest](), Output: typeOf[RecommendedRolesResponse](),
		Summary: "Recommends roles for a CRM candidate.",
	},
	{
		Operation: "listMatches", Method: http.MethodGet, Path: "/recruiter/recommendations", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, RolesRead, SubmissionsRead}, Tier: DefaultTier,
		Input: typeOf[ListMatchesRequest](), Output: typeOf[MatchList](),
		Summary: "Lists the matches that hiring managers requested.",
	},
	{
		Operation: "listAutoMatches", Method: http.MethodGet, Path: "/recruiter/auto-recommendations", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead, RolesRead, SubmissionsRead}, Tier: DefaultTier,
		Input: typeOf[ListMatchesRequest](), Output: typeOf[MatchList](),
		Summary: "Alias of GET /recruiter/recommendations.",
	},
	{
		Operation: "listCalls", Method: http.MethodGet, Path: "/recruiter/notetaker-calls", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead}, Tier: DefaultTier,
		Input: typeOf[ListCallsRequest](), Output: typeOf[CallList](),
		Summary: "Lists the caller's recorded calls.",
	},
	{
		Operation: "getCall", Method: http.MethodGet, Path: "/recruiter/notetaker-calls/{callId}", Function: CRM,
		KeyType: PersonalKey, Scopes: []Scope{CandidatesRead}, Tier: DefaultTier,
		Input: typeOf[CallRequest](), Output: typeOf[RecordedCall](),
		Summary: "Reads a recorded call with its transcript.",
	},

	{
		Operation: "listBatches", Method: http.MethodGet, Path: "/talent-network/batches", Function: Submissions,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[ListBatchesRequest](), Output: typeOf[BatchList](),
		Summary: "Lists the agency's batches, newest first.",
	},
	{
		Operation: "listChanges", Method: http.MethodGet, Path: "/talent-network/changes", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[ListChangesRequest](), Output: typeOf[ChangeList](),
		Codes:   []Code{CursorExpired},
		Summary: "Lists changes of submissions and candidates, in order.",
	},
	{
		Operation: "listEnumerations", Method: http.MethodGet, Path: "/enumerations", Function: Platform,
		Scopes: []Scope{IdentityRead}, Tier: DefaultTier,
		Output:  typeOf[Enumerations](),
		Summary: "Lists all enumerations with display names.",
	},
	{
		Operation: "listMembers", Method: http.MethodGet, Path: "/agency/members", Function: Platform,
		KeyType: AgencyKey, Scopes: []Scope{IdentityRead}, Tier: DefaultTier,
		Input: typeOf[ListMembersRequest](), Output: typeOf[MemberList](),
		Summary: "Lists the agency's members, whom recruiterEmail may name.",
	},
	{
		Operation: "getCandidate", Method: http.MethodGet, Path: "/talent-network/candidates/{candidateUserId}", Function: Network,
		KeyType: AgencyKey, Scopes: []Scope{TalentNetworkRead}, Tier: DefaultTier,
		Input: typeOf[CandidateRequest](), Output: typeOf[Candidate](),
		Summary: "Reads one candidate in full.",
	},
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
