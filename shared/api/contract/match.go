package contract

// ListMatchesRequest asks for a page of the recruiter's matches.
type ListMatchesRequest struct {
	Status *MatchFilter `query:"status" check:"enum=matchFilter,default=pending" doc:"Only matches in this state."`
	Limit  int64        `query:"limit" check:"limit=20/20" doc:"Rows per page."`
	Cursor *string      `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page, with the same status."`
}

// MatchList is a page, oldest first. It can be short or empty before the end.
type MatchList struct {
	Recommendations []Match `json:"recommendations" doc:"Oldest first."`
	NextCursor      *string `json:"nextCursor,omitempty" doc:"Absent on the last page."`
}

// Match is a hiring manager's request for a candidate of the recruiter on a role.
type Match struct {
	ID                    string           `json:"id"`
	Status                MatchStatus      `json:"status" check:"enum=matchStatus" doc:"State of the match."`
	ActionBucket          ActionBucket     `json:"actionBucket" check:"enum=actionBucket" doc:"new: nobody contacted the candidate; needs_submission: contacted, not submitted; expired: the window closed; closed: submitted or passed."`
	SentAt                Time             `json:"sentAt"`
	DaysUntilExpiry       *int64           `json:"daysUntilExpiry" doc:"Whole days, 0 on the last one; null once resolved."`
	ReachedOutToCandidate bool             `json:"reachedOutToCandidate" doc:"Whether the candidate was marked contacted."`
	HiringManagerNote     *string          `json:"hiringManagerNote"`
	HiringManagerName     string           `json:"hiringManagerName"`
	Candidate             MatchCandidate   `json:"candidate"`
	Role                  MatchRole        `json:"role"`
	Application           MatchApplication `json:"application"`
}

// MatchCandidate is the candidate that the hiring manager asks for.
type MatchCandidate struct {
	CandidateID string  `json:"candidateId"`
	Name        string  `json:"name"`
	Title       *string `json:"title"`
	OneLiner    *string `json:"oneLiner"`
	Location    *string `json:"location"`
	LinkedInURL *string `json:"linkedinUrl"`
}

// MatchRole is the role as a match shows it.
type MatchRole struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	URLs         Links             `json:"urls"`
	Locations    []string          `json:"locations" doc:"Display names of locations."`
	Company      MatchCompany      `json:"company"`
	Compensation MatchCompensation `json:"compensation"`
	FeePercent   *float64          `json:"feePercent" doc:"Null when the agency hides payment; owners always see it."`
}

// MatchCompany is the hiring company.
type MatchCompany struct {
	Name               string  `json:"name"`
	ConfidentialSearch bool    `json:"confidentialSearch" doc:"True: candidate-facing copy must use anonymizedName instead of the company's name."`
	AnonymizedName     *string `json:"anonymizedName" doc:"Null unless confidential."`
}

// MatchCompensation is annual, in whole units of the currency; null if unknown.
type MatchCompensation struct {
	SalaryLowerBound *int64  `json:"salaryLowerBound"`
	SalaryUpperBound *int64  `json:"salaryUpperBound"`
	Currency         *string `json:"currency"`
}

// MatchApplication is how far the candidate has come.
type MatchApplication struct {
	ProgressLabel      *ProgressLabel `json:"progressLabel" check:"enum=progressLabel" doc:"Null until submitted."`
	RejectedAfterStage *ProgressLabel `json:"rejectedAfterStage" check:"enum=progressLabel" doc:"Null unless rejected."`
}
