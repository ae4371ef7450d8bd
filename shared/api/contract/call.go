package contract

// ListCallsRequest asks for a page of the recruiter's calls.
type ListCallsRequest struct {
	Limit  int64  `query:"limit" check:"limit=20/50" doc:"Rows of a page."`
	Cursor *int64 `query:"cursor" check:"nullable,default=0,min=0,max=9007199254740991" doc:"The nextCursor of the page before; 0 or none for the first page. Rows that share a position are never separated, so a page may hold more than limit."`
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
	Candidate       *CallCandidate    `json:"candidate" doc:"Whom the call was about."`
	Role            *CallRole         `json:"role" doc:"What role the call was about."`
	Summary         *string           `json:"summary" doc:"A short preview."`
}

// CallParticipant is a person on the call.
type CallParticipant struct {
	Name  *string `json:"name"`
	Email string  `json:"email"`
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
	ConfidentialSearch bool    `json:"confidentialSearch" doc:"True: candidate-facing copy must say anonymizedName and not name the company."`
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
	SummaryFull *string        `json:"summaryFull" doc:"The whole summary."`
	UpdatedAt   Time           `json:"updatedAt"`
}

// CallTranscript is what was said: turn by turn, and as one text with a turn on each
// line.
type CallTranscript struct {
	Language  *string       `json:"language"`
	Text      string        `json:"text" doc:"All that was said, a turn a line."`
	Segments  []CallSegment `json:"segments" doc:"What was said, turn by turn."`
	Truncated *bool         `json:"truncated,omitempty" doc:"True for a transcript that was cut at a segment, because its text is longer than 3 MB or the answer would be longer than 6 MB; absent for a whole one."`
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
