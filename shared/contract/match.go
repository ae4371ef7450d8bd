package contract

// MatchFilters are what the match list filters by.
var MatchFilters = enumeration("matchFilter", "pending", "expired", "dismissed", "submitted", "all")

// ListMatchesRequest asks for a page of the recruiter's matches.
type ListMatchesRequest struct {
	Status *string `query:"status" check:"enum=matchFilter" doc:"Only matches in this state (default pending)."`
	Limit  int64   `query:"limit" check:"limit=20/20" doc:"Rows of a page."`
	Cursor *string `query:"cursor" check:"min=1" doc:"The nextCursor of the page before, with the same status."`
}

// ListMatchesResponse is a page, oldest first. It can be short or empty before the end.
type ListMatchesResponse struct {
	Recommendations []Match `json:"recommendations"`
	// NextCursor is absent on the last page.
	NextCursor *string `json:"nextCursor,omitempty"`
}

// Match is a hiring manager's request for a candidate of the recruiter on a role.
type Match struct {
	ID string `json:"id"`
	// Status is pending, submitted, dismissed or expired.
	Status string `json:"status"`
	// ActionBucket is new, needs_submission, expired or closed.
	ActionBucket string `json:"actionBucket"`
	SentAt       Time   `json:"sentAt"`
	// DaysUntilExpiry are whole days, 0 on the last one; null once resolved.
	DaysUntilExpiry       *int64           `json:"daysUntilExpiry"`
	ReachedOutToCandidate bool             `json:"reachedOutToCandidate"`
	HiringManagerNote     *string          `json:"hiringManagerNote"`
	HiringManagerName     string           `json:"hiringManagerName"`
	Candidate             MatchCandidate   `json:"candidate"`
	Role                  MatchRole        `json:"role"`
	Application           MatchApplication `json:"application"`
}

// MatchCandidate is whom the hiring manager asks for.
type MatchCandidate struct {
	CandidateID string  `json:"candidateId"`
	Name        string  `json:"name"`
	Title       *string `json:"title"`
	OneLiner    *string `json:"oneLiner"`
	Location    *string `json:"location"`
	LinkedInURL *string `json:"linkedinUrl"`
}

// MatchRole is the role as far as a match shows it.
type MatchRole struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	URLs         Links             `json:"urls"`
	Locations    []string          `json:"locations"`
	Company      MatchCompany      `json:"company"`
	Compensation MatchCompensation `json:"compensation"`
	// FeePercent is null when the agency hides payment; owners always see it.
	FeePercent *float64 `json:"feePercent"`
}

// MatchCompany is the hiring company; AnonymizedName is null unless confidential.
type MatchCompany struct {
	Name               string  `json:"name"`
	ConfidentialSearch bool    `json:"confidentialSearch"`
	AnonymizedName     *string `json:"anonymizedName"`
}

// MatchCompensation is annual, in whole units of the currency; null: unknown.
type MatchCompensation struct {
	SalaryLowerBound *int64  `json:"salaryLowerBound"`
	SalaryUpperBound *int64  `json:"salaryUpperBound"`
	Currency         *string `json:"currency"`
}

// MatchApplication is how far the candidate has come; null until submitted.
type MatchApplication struct {
	ProgressLabel *string `json:"progressLabel"`
	// RejectedAfterStage is null unless rejected.
	RejectedAfterStage *string `json:"rejectedAfterStage"`
}
