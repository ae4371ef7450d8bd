package contract

// SubmitRequest is the body of POST …/submit and its Idempotency-Key (contract).
type SubmitRequest struct {
	IdempotencyKey    string          `header:"Idempotency-Key" check:"min=1,max=255,format=printable" doc:"Makes a retry safe: the same key and body answer the same batch for 24 hours."`
	Name              string          `json:"name" check:"required,min=1,max=300" doc:"The candidate's full name."`
	LinkedInURL       string          `json:"linkedinUrl" check:"required,max=2048,format=linkedin" doc:"The candidate's LinkedIn profile."`
	Email             string          `json:"email" check:"required,max=320,format=email" doc:"The candidate's e-mail address."`
	Preferences       WorkPreferences `json:"preferences" check:"required" doc:"The candidate's work preferences."`
	ScreeningCallLink *string         `json:"screeningCallLink" check:"max=2048,format=uri" doc:"Recording or notes of a screening call."`
	RecruiterEmail    *string         `json:"recruiterEmail" check:"max=320,format=email" doc:"The approved member to attribute the candidate to; the agency's owner when omitted."`
	Resume            ResumeFile      `json:"resume" check:"required" doc:"The resume file."`
}

// ResumeFile is a file inside a JSON body.
type ResumeFile struct {
	FileName *string `json:"fileName" check:"max=255" doc:"The file's name, for people; its type is told by its content."`
	// ContentBase64 is standard or URL-safe base64, padded or not; a data: prefix is accepted.
	ContentBase64 string `json:"contentBase64" check:"required,min=1" doc:"The file's bytes in base64."`
}

// SubmitResponse says what was accepted; the outcome is read from the batch.
type SubmitResponse struct {
	// Accepted is always true.
	Accepted bool `json:"accepted"`
	// Deduplicated is true while an earlier submission of the candidate is in flight.
	Deduplicated bool   `json:"deduplicated"`
	BatchID      string `json:"batchId"`
	SubmissionID string `json:"submissionId"`
}

// BatchRequest names a batch.
type BatchRequest struct {
	BatchID string `path:"batchId" check:"required,format=uuid" doc:"The batch to read."`
}

// Batch is the answer of GET …/batches/{batchId} (contract, Submission batch).
type Batch struct {
	BatchID   string `json:"batchId"`
	CreatedAt Time   `json:"createdAt"`
	// ItemCount is the number of items that the request sent.
	ItemCount int `json:"itemCount"`
	// Items are ordered by index; items rejected at submit time are missing.
	Items []BatchItem `json:"items"`
}

// BatchItem is one submission of a batch.
type BatchItem struct {
	SubmissionID string     `json:"submissionId"`
	Index        int        `json:"index"`
	Status       ItemStatus `json:"status"`
	// UpdatedAt is the last transition.
	UpdatedAt       Time            `json:"updatedAt"`
	CandidateUserID string          `json:"candidateUserId,omitempty"`
	ErrorCode       SubmissionError `json:"errorCode,omitempty"`
	ErrorMessage    string          `json:"errorMessage,omitempty"`
}

// ItemStatus is the state of a batch item (contract, Batch item status).
type ItemStatus string

// The states; the last three are terminal.
const (
	Queued       ItemStatus = "queued"
	Processing   ItemStatus = "processing"
	Succeeded    ItemStatus = "succeeded"
	Failed       ItemStatus = "failed"
	Deduplicated ItemStatus = "deduplicated"
)

// Terminal tells whether the state never changes again.
func (s ItemStatus) Terminal() bool { return s != Queued && s != Processing }
