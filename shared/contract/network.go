package contract

// MarketStatuses are the states that a talent-network list filters by.
var MarketStatuses = enumeration("marketStatus", string(Expired), string(OffMarket), string(OnMarket))

// MarketStatus is where a candidate stands on the auto-match market.
type MarketStatus string

// The market states. An off-market candidate whose eligibility has ended too is
// off market.
const (
	OnMarket  MarketStatus = "on_market"
	OffMarket MarketStatus = "off_market"
	Expired   MarketStatus = "expired"
)

// CandidateReference names candidates: the first field that is not null decides
// alone, in the order candidateUserId, linkedinUrl, email. What cannot be parsed
// names nobody, so there are no further constraints (contract, preferences lookup).
type CandidateReference struct {
	CandidateUserID *string `json:"candidateUserId" check:"nullable,min=1" doc:"The handle of one membership."`
	LinkedInURL     *string `json:"linkedinUrl" check:"nullable" doc:"A LinkedIn profile URL: every membership of the person."`
	Email           *string `json:"email" check:"nullable" doc:"An e-mail address: every membership of the person."`
}

// LookupRequest is the body of both lookups.
type LookupRequest struct {
	Candidates []CandidateReference `json:"candidates" check:"required,min=1,max=50" doc:"Whom to look up."`
}

// MarketRequest is the body of POST …/off-market and …/re-enable.
type MarketRequest struct {
	Candidates []CandidateReference `json:"candidates" check:"required,min=1,max=100" doc:"Whom to act on."`
}

// Result is what every result of a lookup or a market change begins with;
// clients branch on OK and take an unknown status as information.
type Result struct {
	// Index is that of the reference in the request.
	Index   int          `json:"index"`
	OK      bool         `json:"ok"`
	Status  ResultStatus `json:"status"`
	Message string       `json:"message,omitempty"`
}

// ResultStatus is the outcome for one reference.
type ResultStatus string

// The outcomes. Both lookups: found, not_found. Off-market: off_market,
// already_off_market, pre_excluded, not_found. Re-enable: on_market,
// already_on_market, pre_excluded, locked, not_found.
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
	Results []LookupResult `json:"results"`
}

// LookupResult holds the memberships of one reference, by eligibility expiry,
// latest first, those without expiry last.
type LookupResult struct {
	Result
	Candidates []CandidateRow `json:"candidates,omitempty"`
}

// PreferencesLookupResponse is index-aligned with the request.
type PreferencesLookupResponse struct {
	Results []PreferencesResult `json:"results"`
}

// PreferencesResult is ordered like LookupResult.
type PreferencesResult struct {
	Result
	Candidates []CandidatePreferences `json:"candidates,omitempty"`
}

// MarketResponse is index-aligned with the request.
type MarketResponse struct {
	Results []MarketResult `json:"results"`
}

// MarketResult tells what became of one reference.
type MarketResult struct {
	Result
	// CandidateUserIDs are the memberships acted on, ordered like LookupResult.
	CandidateUserIDs []string `json:"candidateUserIds,omitempty"`
}

// ListCandidatesRequest asks for a page of the talent network.
type ListCandidatesRequest struct {
	Status         *string `query:"status" check:"enum=marketStatus" doc:"Only candidates in this market state."`
	RecruiterEmail *string `query:"recruiterEmail" check:"max=320,format=email" doc:"Only candidates of this member."`
	Limit          int64   `query:"limit" check:"limit=50/100" doc:"Rows of a page."`
	Cursor         *string `query:"cursor" doc:"The nextCursor of the page before, with the same filters."`
}

// ListCandidatesResponse is a page, newest first. It can be short or empty
// before the end.
type ListCandidatesResponse struct {
	Candidates []CandidateRow `json:"candidates"`
	// NextCursor is null on the last page.
	NextCursor *string `json:"nextCursor"`
}

// CandidateRow is a talent-network membership as lists show it.
type CandidateRow struct {
	CandidateUserID string       `json:"candidateUserId"`
	Name            string       `json:"name"`
	Email           string       `json:"email"`
	LinkedInURL     string       `json:"linkedinUrl"`
	Status          MarketStatus `json:"status"`
	// MarketExpiresAt is when auto-match eligibility ends; null: never.
	MarketExpiresAt *Time           `json:"marketExpiresAt"`
	FastTrack       bool            `json:"fastTrack"`
	Recruiter       OwningRecruiter `json:"recruiter"`
	CurrentTitle    *string         `json:"currentTitle"`
	CurrentCompany  *string         `json:"currentCompany"`
	Location        *string         `json:"location"`
	HasPreferences  bool            `json:"hasPreferences"`
	HasResume       bool            `json:"hasResume"`
	// Source is EXTERNAL_API, APP or ROLE_SUBMISSION.
	Source    string `json:"source"`
	AddedAt   Time   `json:"addedAt"`
	UpdatedAt Time   `json:"updatedAt"`
}

// OwningRecruiter is the member whom a candidate belongs to.
type OwningRecruiter struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// PutFastTrackRequest sets the opt-in of one membership.
type PutFastTrackRequest struct {
	CandidateRequest
	FastTrack bool `json:"fastTrack" check:"required" doc:"Whether auto-match may fast-track the candidate."`
}

// FastTrack is the answer of GET and PUT …/{candidateUserId}/fast-track.
type FastTrack struct {
	CandidateUserID string `json:"candidateUserId"`
	FastTrack       bool   `json:"fastTrack"`
	// OffMarket: the opt-in does not fire until the candidate is back on the market.
	OffMarket bool `json:"offMarket"`
}
