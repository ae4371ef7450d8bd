package contract

// MarketStatus is a candidate's status on the auto-match market.
type MarketStatus string

// The market states. An off-market candidate with expired eligibility is still
// off market.
const (
	OnMarket  MarketStatus = "on_market"
	OffMarket MarketStatus = "off_market"
	Expired   MarketStatus = "expired"
)

// CandidateReference names candidates: the first field that is not null decides
// alone, in the order candidateUserId, linkedinUrl, email. What cannot be parsed
// matches no candidate, so there are no further constraints (contract, preferences
// lookup).
type CandidateReference struct {
	CandidateUserID *string `json:"candidateUserId,omitzero" check:"nullable,min=1" doc:"Id of one membership."`
	LinkedInURL     *string `json:"linkedinUrl,omitzero" check:"nullable" doc:"LinkedIn profile URL; matches every membership of the person."`
	Email           *string `json:"email,omitzero" check:"nullable" doc:"E-mail address; matches every membership of the person."`
}

// LookupRequest is the body of both lookups.
type LookupRequest struct {
	Candidates []CandidateReference `json:"candidates,omitzero" check:"required,min=1,max=50" doc:"References of the candidates to look up."`
}

// MarketRequest is the body of POST …/off-market and …/re-enable.
type MarketRequest struct {
	Candidates []CandidateReference `json:"candidates,omitzero" check:"required,min=1,max=100" doc:"References of the candidates to update."`
}

// Result begins every result of a lookup or a market change.
type Result struct {
	Index   int          `json:"index" check:"min=0" doc:"Position of the reference in the request."`
	OK      bool         `json:"ok" doc:"Whether the outcome is a success; branch on this field."`
	Status  ResultStatus `json:"status" check:"enum=resultStatus" doc:"The outcome; treat unknown values as informational."`
	Message string       `json:"message,omitempty" doc:"Human-readable; do not parse."`
}

// ResultStatus is the outcome for one reference.
type ResultStatus string

// The outcomes (contract, Reference results).
const (
	ResultFound            ResultStatus = "found"
	ResultNotFound         ResultStatus = "not_found"
	ResultOffMarket        ResultStatus = "off_market"
	ResultAlreadyOffMarket ResultStatus = "already_off_market"
	ResultPreExcluded      ResultStatus = "pre_excluded"
	ResultOnMarket         ResultStatus = "on_market"
	ResultAlreadyOnMarket  ResultStatus = "already_on_market"
	ResultLocked           ResultStatus = "locked"
)

// LookupResponse is index-aligned with the request.
type LookupResponse struct {
	Results []LookupResult `json:"results" doc:"Aligned with the references of the request."`
}

// LookupResult holds the memberships of one reference.
type LookupResult struct {
	Result
	Candidates []FoundCandidate `json:"candidates,omitempty" doc:"The memberships found: latest eligibility first, those without expiry last."`
}

// FoundCandidate is a membership as a lookup shows it.
type FoundCandidate struct {
	CandidateRow
	Resume ResumeFacts `json:"resume" doc:"Data that ingestion extracted from the resume; the file itself is never returned."`
}

// Candidate is the response of GET …/candidates/{candidateUserId}.
type Candidate struct {
	FoundCandidate
	Preferences    *SavedWorkPreferences `json:"preferences" doc:"Null until a recruiter has entered preferences."`
	LastSubmission *LastSubmission       `json:"lastSubmission" doc:"Null for a candidate who was never submitted."`
}

// LastSubmission is the newest submission of a membership.
type LastSubmission struct {
	Source       CandidateSource `json:"source" check:"enum=candidateSource" doc:"Where it was submitted."`
	SubmittedAt  Time            `json:"submittedAt"`
	BatchID      string          `json:"batchId,omitempty" check:"format=uuid" doc:"Its batch, while that is kept; only of submissions through this API."`
	SubmissionID string          `json:"submissionId,omitempty" check:"format=uuid" doc:"The item in that batch."`
}

// ResumeFacts is what ingestion read in a membership's resume (contract, Resume facts of a membership).
type ResumeFacts struct {
	OnFile            bool             `json:"onFile" doc:"Whether a resume is on file; if not, the other fields are null or empty."`
	ReadAt            *Time            `json:"readAt" doc:"When the resume was read; null until then."`
	Skills            []string         `json:"skills" doc:"In their usual spelling; unknown skills as written in the resume."`
	Languages         []string         `json:"languages" doc:"English names of the languages the person speaks."`
	YearsOfExperience *float64         `json:"yearsOfExperience" doc:"One decimal; null when the resume does not show it."`
	Confidence        ResumeConfidence `json:"confidence" doc:"Confidence from 0 to 1; null for fields that were not found."`
}

// ResumeConfidence is how sure the reading of each field is, from 0 to 1.
type ResumeConfidence struct {
	Skills            *float64 `json:"skills"`
	Languages         *float64 `json:"languages"`
	YearsOfExperience *float64 `json:"yearsOfExperience"`
}

// PreferencesLookupResponse is index-aligned with the request.
type PreferencesLookupResponse struct {
	Results []PreferencesResult `json:"results" doc:"Aligned with the references of the request."`
}

// PreferencesResult holds the memberships of one reference.
type PreferencesResult struct {
	Result
	Candidates []CandidatePreferences `json:"candidates,omitempty" doc:"The memberships found: latest eligibility first, those without expiry last."`
}

// MarketResponse is index-aligned with the request.
type MarketResponse struct {
	Results []MarketResult `json:"results" doc:"Aligned with the references of the request."`
}

// MarketResult is the outcome for one reference.
type MarketResult struct {
	Result
	CandidateUserIDs []string `json:"candidateUserIds,omitempty" doc:"The visible memberships that match the reference, changed or not."`
}

// ListCandidatesRequest asks for a page of the talent network.
type ListCandidatesRequest struct {
	Status         *MarketStatus `query:"status" check:"enum=marketStatus" doc:"Only candidates in this market state."`
	RecruiterEmail *string       `query:"recruiterEmail" check:"max=320,format=email" doc:"Only candidates of this approved member."`
	Limit          int64         `query:"limit" check:"limit=50/100" doc:"Rows per page."`
	Cursor         *string       `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page, with the same filters."`
}

// CandidateList is a page of the talent network.
type CandidateList struct {
	Candidates []CandidateRow `json:"candidates" doc:"Newest first; a page can be short or empty before the end."`
	NextCursor *string        `json:"nextCursor" doc:"Null on the last page."`
}

// CandidateRow is a talent-network membership as lists show it.
type CandidateRow struct {
	CandidateUserID      string          `json:"candidateUserId" doc:"Id of the membership."`
	Name                 string          `json:"name"`
	Email                string          `json:"email"`
	LinkedInURL          string          `json:"linkedinUrl"`
	Status               MarketStatus    `json:"status" check:"enum=marketStatus" doc:"The candidate's state on the auto-match market."`
	MarketExpiresAt      *Time           `json:"marketExpiresAt" doc:"When auto-match eligibility ends; null when it does not."`
	FastTrack            bool            `json:"fastTrack" doc:"The fast-track opt-in."`
	Recruiter            OwningRecruiter `json:"recruiter" doc:"The member who owns the candidate."`
	CurrentTitle         *string         `json:"currentTitle"`
	CurrentCompany       *string         `json:"currentCompany"`
	Location             *string         `json:"location"`
	HasPreferences       bool            `json:"hasPreferences" doc:"Whether work preferences were entered."`
	HasResume            bool            `json:"hasResume" doc:"Whether a resume is on file."`
	Source               CandidateSource `json:"source" check:"enum=candidateSource" doc:"Source of the earliest submission."`
	LastSubmissionSource CandidateSource `json:"lastSubmissionSource" check:"enum=candidateSource" doc:"Source of the latest submission."`
	AddedAt              Time            `json:"addedAt"`
	UpdatedAt            Time            `json:"updatedAt"`
}

// OwningRecruiter is the member that a candidate belongs to.
type OwningRecruiter struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// PutFastTrackRequest sets the opt-in of one membership.
type PutFastTrackRequest struct {
	CandidateRequest
	FastTrack bool `json:"fastTrack" check:"required" doc:"Whether auto-match may fast-track the candidate."`
}

// FastTrack is the response of GET and PUT …/{candidateUserId}/fast-track.
type FastTrack struct {
	CandidateUserID string `json:"candidateUserId" doc:"Id of the membership."`
	FastTrack       bool   `json:"fastTrack" doc:"The opt-in."`
	OffMarket       bool   `json:"offMarket" doc:"True: the opt-in has no effect until the candidate is back on the market."`
}

// WorkPreferences is the request form (contract, Work preferences). Absent and null
// fields are not set.
type WorkPreferences struct {
	Locations              []Location        `json:"locations,omitzero" check:"required,min=1,enum=location" doc:"Where the candidate wants to work."`
	WorkplaceTypes         []WorkplaceType   `json:"workplaceTypes,omitzero" check:"required,min=1,enum=workplaceType" doc:"How the candidate wants to work."`
	SalaryMin              int64             `json:"salaryMin" check:"required,min=1,max=9007199254740991" doc:"Lowest acceptable annual salary, whole units."`
	SalaryMax              *int64            `json:"salaryMax,omitzero" check:"nullable,min=1,max=9007199254740991" doc:"Hoped-for annual salary, whole units."`
	OTE                    *int64            `json:"ote,omitzero" check:"nullable,min=1,max=9007199254740991" doc:"On-target earnings, whole units."`
	IdealFundingRounds     []FundingRound    `json:"idealFundingRounds,omitzero" check:"required,min=1,enum=fundingRound" doc:"Funding rounds of the companies wanted."`
	VisaAuthorization      VisaAuthorization `json:"visaAuthorization" check:"required,enum=visaAuthorization" doc:"Work authorization."`
	RoleType               []RoleType        `json:"roleType,omitzero" check:"enum=roleType" doc:"Kinds of role wanted."`
	ExcludedIndustries     []Industry        `json:"excludedIndustries,omitzero" check:"enum=industry" doc:"Industries not wanted."`
	CompanySizePreferences []CompanySize     `json:"companySizePreferences,omitzero" check:"enum=companySize" doc:"Company sizes wanted."`
}

// SavedWorkPreferences is the response form: every field is always present;
// older records have nulls and empty arrays.
type SavedWorkPreferences struct {
	Locations              []Location         `json:"locations" check:"enum=location" doc:"Empty for older records."`
	WorkplaceTypes         []WorkplaceType    `json:"workplaceTypes" check:"enum=workplaceType" doc:"Empty for older records."`
	SalaryMin              *int64             `json:"salaryMin" doc:"Annual, whole units."`
	SalaryMax              *int64             `json:"salaryMax" doc:"Annual, whole units."`
	OTE                    *int64             `json:"ote" doc:"On-target earnings, whole units."`
	IdealFundingRounds     []FundingRound     `json:"idealFundingRounds" check:"enum=fundingRound" doc:"Empty for older records."`
	VisaAuthorization      *VisaAuthorization `json:"visaAuthorization" check:"enum=visaAuthorization" doc:"Work authorization."`
	RoleType               []RoleType         `json:"roleType" check:"enum=roleType" doc:"Kinds of role wanted."`
	ExcludedIndustries     []Industry         `json:"excludedIndustries" check:"enum=industry" doc:"Industries not wanted."`
	CompanySizePreferences []CompanySize      `json:"companySizePreferences" check:"enum=companySize" doc:"Company sizes wanted."`
}

// CandidateRequest names one talent-network membership.
type CandidateRequest struct {
	CandidateUserID string `path:"candidateUserId" json:"-" check:"required,min=1" doc:"Id of the membership."`
}

// CandidatePreferences is the response of GET …/{candidateUserId}/preferences.
type CandidatePreferences struct {
	CandidateUserID string                `json:"candidateUserId" doc:"Id of the membership."`
	Preferences     *SavedWorkPreferences `json:"preferences" doc:"Null until a recruiter has entered some."`
}

// PutPreferencesRequest replaces the preferences of one membership: absent fields
// are cleared. The body is the request form, or that of the GET as it stands.
type PutPreferencesRequest struct {
	CandidateRequest
	WorkPreferences
	// SentCandidateUserID and SentPreferences are the fields of the GET's body.
	SentCandidateUserID *string          `json:"candidateUserId,omitzero" doc:"Accepted from a GET response; must equal the id in the path."`
	SentPreferences     *WorkPreferences `json:"preferences,omitzero" check:"instead" doc:"The preferences object of a GET response, in place of the separate fields."`
}
