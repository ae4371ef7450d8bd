package contract

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
