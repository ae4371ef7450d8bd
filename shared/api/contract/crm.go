package contract

// ListCRMCandidatesRequest asks for a page of the recruiter's CRM candidates.
type ListCRMCandidatesRequest struct {
	Query              *string              `query:"query" check:"min=1,format=text" doc:"Words that must all be found in name, headline, location or employers; a word may be a prefix. The first 10 count; a query without a letter or digit matches nothing."`
	Tags               []string             `query:"tags" check:"format=text" doc:"Only candidates with any of these tags."`
	RelationshipStatus []RelationshipStatus `query:"relationshipStatus" check:"enum=relationshipStatus" doc:"Only candidates in any of these relationships."`
	Limit              int64                `query:"limit" check:"limit=20/50" doc:"Rows per page."`
	Cursor             *int64               `query:"cursor" check:"nullable,default=0,min=0,max=9007199254740991" doc:"The nextCursor of the previous page, with the same filters; omit it or send 0 for the first page. Rows that share a position are never separated, so a page may hold more than limit."`
}

// CRMCandidateList is a page. It can be short or empty before the end.
type CRMCandidateList struct {
	Candidates []CRMCandidateRow `json:"candidates" doc:"Newest first, then by a hash of the id; with a query, matches by name first."`
	NextCursor *int64            `json:"nextCursor,omitempty" doc:"Absent on the last page."`
}

// CRMCandidateRow is a CRM candidate as the list shows it.
type CRMCandidateRow struct {
	CandidateID        string             `json:"candidateId"`
	Name               string             `json:"name"`
	LinkedInURL        string             `json:"linkedinUrl"`
	Location           string             `json:"location"`
	OneLiner           string             `json:"oneLiner"`
	CurrentRole        Position           `json:"currentRole"`
	RelationshipStatus RelationshipStatus `json:"relationshipStatus" check:"enum=relationshipStatus" doc:"Set by the recruiter, independent of applications."`
	FurthestStatus     *ApplicationStatus `json:"furthestStatus" check:"enum=applicationStatus" doc:"The furthest status of any application; null for a candidate never submitted."`
	Tags               []string           `json:"tags"`
	AddedAt            Time               `json:"addedAt"`
}

// Position is a job by company and title.
type Position struct {
	Company *string `json:"company" check:"nullable,max=300"`
	Title   *string `json:"title" check:"nullable,max=300"`
}

// CRMCandidateRequest names one CRM candidate.
type CRMCandidateRequest struct {
	CandidateID string `path:"candidateId" check:"required,min=1" doc:"The candidateId of a list row."`
}

// CRMCandidate is one CRM candidate in full.
type CRMCandidate struct {
	ID                 string             `json:"id" doc:"The same as candidateId."`
	CandidateID        string             `json:"candidateId"`
	Name               string             `json:"name"`
	AddedAt            Time               `json:"addedAt"`
	RelationshipStatus RelationshipStatus `json:"relationshipStatus" check:"enum=relationshipStatus" doc:"Set by the recruiter, independent of applications."`
	OneLiner           *string            `json:"oneLiner"`
	Location           *string            `json:"location"`
	LinkedInURL        *string            `json:"linkedinUrl"`
	PersonalURL        *string            `json:"personalUrl"`
	GitHubURL          *string            `json:"githubUrl"`
	YearsOfExperience  *float64           `json:"yearsOfExperience"`
	Tags               []string           `json:"tags"`
	Note               *string            `json:"note" doc:"The recruiter's private note."`
	Resume             ResumeOnFile       `json:"resume" doc:"Whether a resume is on file; the file itself is never returned."`
	Preferences        *CRMPreferences    `json:"preferences" doc:"The latest typed preferences, or else the latest inferred ones; null when none are saved."`
	Experiences        []CRMExperience    `json:"experiences"`
	Education          []CRMEducation     `json:"education"`
	Applications       []CRMApplication   `json:"applications" doc:"Newest first."`
}

// ResumeOnFile reports whether there is a resume; the file itself is never returned.
type ResumeOnFile struct {
	OnFile bool `json:"onFile"`
}

// CRMPreferences are a candidate's, from one source; an amount is null when unknown.
type CRMPreferences struct {
	Source             PreferenceSource `json:"source" check:"enum=preferenceSource" doc:"Who provided the preferences."`
	UpdatedAt          Time             `json:"updatedAt"`
	Locations          []string         `json:"locations"`
	SalaryMin          *int64           `json:"salaryMin" doc:"Null when unknown."`
	SalaryMax          *int64           `json:"salaryMax" doc:"Null when unknown."`
	OTE                *int64           `json:"ote" doc:"Null when unknown."`
	Workplace          []string         `json:"workplace"`
	RoleTypes          []string         `json:"roleTypes"`
	FundingRounds      []string         `json:"fundingRounds"`
	Visa               []string         `json:"visa"`
	VisaAuthorization  []string         `json:"visaAuthorization"`
	ExcludedIndustries []string         `json:"excludedIndustries"`
	CompanySizes       []string         `json:"companySizes"`
}

// CRMExperience is one job.
type CRMExperience struct {
	Title          *string `json:"title" check:"nullable,max=300"`
	Company        *string `json:"company" check:"nullable,max=300"`
	StartDate      *string `json:"startDate" check:"nullable,max=32"`
	EndDate        *string `json:"endDate" check:"nullable,max=32"`
	IsCurrent      bool    `json:"isCurrent"`
	Location       *string `json:"location" check:"nullable,max=300"`
	EmploymentType *string `json:"employmentType" check:"nullable,max=100"`
	Description    *string `json:"description" check:"nullable,max=20000"`
}

// CRMEducation is one school.
type CRMEducation struct {
	School    *string `json:"school" check:"nullable,max=300"`
	Degree    *string `json:"degree" check:"nullable,max=300"`
	StartDate *string `json:"startDate" check:"nullable,max=32"`
	EndDate   *string `json:"endDate" check:"nullable,max=32"`
}

// CRMApplication is the candidate's submission to a role, newest first.
type CRMApplication struct {
	RoleID        string            `json:"roleId"`
	RoleName      string            `json:"roleName"`
	CompanyName   string            `json:"companyName"`
	URLs          Links             `json:"urls"`
	Status        ApplicationStatus `json:"status" check:"enum=applicationStatus" doc:"WITHDRAWN for a withdrawn submission."`
	CurrentStage  *Stage            `json:"currentStage" check:"enum=stage" doc:"Null before the first stage."`
	FurthestStage *Stage            `json:"furthestStage" check:"enum=stage" doc:"Null before the first stage."`
	SubmittedAt   Time              `json:"submittedAt"`
}

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

// ListCallsRequest asks for a page of the recruiter's calls.
type ListCallsRequest struct {
	Limit  int64  `query:"limit" check:"limit=20/50" doc:"Rows per page."`
	Cursor *int64 `query:"cursor" check:"nullable,default=0,min=0,max=9007199254740991" doc:"The nextCursor of the previous page; omit it or send 0 for the first page. Rows that share a position are never separated, so a page may hold more than limit."`
}

// CallList is a page, newest first.
type CallList struct {
	Calls      []CallRow `json:"calls" doc:"Newest first, then by a hash of the id."`
	NextCursor *int64    `json:"nextCursor,omitempty" doc:"Absent on the last page."`
}

// CallRow is a recorded, transcribed call of the recruiter.
type CallRow struct {
	CallID          string            `json:"callId"`
	Title           string            `json:"title"`
	ScheduledAt     Time              `json:"scheduledAt"`
	Platform        string            `json:"platform"`
	URL             string            `json:"url"`
	DurationSeconds *float64          `json:"durationSeconds"`
	Participants    []CallParticipant `json:"participants"`
	Candidate       *CallCandidate    `json:"candidate" doc:"The candidate discussed in the call."`
	Role            *CallRole         `json:"role" doc:"The role discussed in the call."`
	Summary         *string           `json:"summary" doc:"A short preview."`
}

// CallParticipant is a person on the call.
type CallParticipant struct {
	Name  *string `json:"name" check:"nullable,max=300"`
	Email string  `json:"email" check:"required,max=320"`
}

// CallCandidate is the candidate that the call was about.
type CallCandidate struct {
	CandidateID string `json:"candidateId"`
	Name        string `json:"name"`
}

// CallRole is the role that the call was about.
type CallRole struct {
	RoleID             string  `json:"roleId"`
	Name               string  `json:"name"`
	CompanyName        string  `json:"companyName"`
	ConfidentialSearch bool    `json:"confidentialSearch" doc:"True: candidate-facing copy must use anonymizedName instead of the company's name."`
	AnonymizedName     *string `json:"anonymizedName"`
	URLs               Links   `json:"urls"`
}

// CallRequest names one call.
type CallRequest struct {
	CallID string `path:"callId" check:"required,min=1" doc:"The callId of a list row."`
}

// RecordedCall is one call with its transcript, without recording or other media.
type RecordedCall struct {
	CallRow
	Transcript  CallTranscript `json:"transcript"`
	SummaryFull *string        `json:"summaryFull" doc:"The full summary."`
	UpdatedAt   Time           `json:"updatedAt"`
}

// CallTranscript is what was said.
type CallTranscript struct {
	Language  *string       `json:"language"`
	Text      string        `json:"text" doc:"The whole transcript, one line per turn."`
	Segments  []CallSegment `json:"segments" doc:"The transcript, turn by turn."`
	Truncated *bool         `json:"truncated,omitempty" doc:"True when the transcript was cut at a segment, because its text exceeds 3 MB or the response 6 MB; absent when complete."`
}

// CallSegment is one speaker's turn.
type CallSegment struct {
	Index        int      `json:"index"`
	Speaker      *string  `json:"speaker"`
	SpeakerEmail *string  `json:"speakerEmail"`
	StartSeconds *float64 `json:"startSeconds"`
	EndSeconds   *float64 `json:"endSeconds"`
	Text         string   `json:"text"`
}
