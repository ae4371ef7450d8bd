package contract

// ResumeUpload is the answer of POST /resumes, whose body is a ResumeFile: an
// upload to refer to until it expires. The same bytes from the same agency
// answer the same unexpired upload.
type ResumeUpload struct {
	ResumeFileID string `json:"resumeFileId"`
	// FileName is as it was sent with the upload; null when it was not.
	FileName *string `json:"fileName"`
	// ContentType is told by the content.
	ContentType string `json:"contentType"`
	// SizeBytes and SHA256 (hexadecimal) are those of the decoded file.
	SizeBytes int64  `json:"sizeBytes"`
	SHA256    string `json:"sha256"`
	CreatedAt Time   `json:"createdAt"`
	ExpiresAt Time   `json:"expiresAt"`
}

// BulkRequest is the body of POST …/submit-bulk and its Idempotency-Key.
type BulkRequest struct {
	IdempotencyKey string     `header:"Idempotency-Key" check:"min=1,max=255,format=printable" doc:"Makes a retry safe: the same key and body replay the whole answer for 24 hours."`
	Items          []BulkItem `json:"items" check:"required,min=1,max=100" doc:"The candidates; each is judged by itself."`
}

// BulkItem is one candidate of a bulk submission. What its strings must mean is
// no matter of the schema: it is judged item by item.
type BulkItem struct {
	Name              string          `json:"name" check:"required,min=1,max=300" doc:"The candidate's full name."`
	LinkedInURL       string          `json:"linkedinUrl" check:"required,max=2048" doc:"The candidate's LinkedIn profile."`
	Email             string          `json:"email" check:"required,max=320" doc:"The candidate's e-mail address."`
	Preferences       WorkPreferences `json:"preferences" check:"required" doc:"The candidate's work preferences."`
	ScreeningCallLink *string         `json:"screeningCallLink" check:"max=2048,format=uri" doc:"Recording or notes of a screening call."`
	RecruiterEmail    *string         `json:"recruiterEmail" check:"max=320" doc:"The approved member to attribute the candidate to; the agency's owner when omitted."`
	Resume            ResumeReference `json:"resume" check:"required" doc:"The resume, uploaded before."`
	// OnMarketConfirmed is checked and stored nowhere.
	OnMarketConfirmed bool    `json:"onMarketConfirmed" check:"required,const=true" doc:"Your attestation that the candidate is on the market now."`
	ClientReferenceID *string `json:"clientReferenceId" check:"min=1,max=128" doc:"Your own reference, echoed back as it is."`
}

// ResumeReference names an upload of POST /resumes by the same agency.
type ResumeReference struct {
	ResumeFileID string `json:"resumeFileId" check:"required" doc:"The id that the upload was answered with."`
}

// BulkResponse says item by item what was accepted; the outcomes are read from
// the batch.
type BulkResponse struct {
	BatchID string `json:"batchId"`
	// Items are aligned with those of the request.
	Items []BulkItemResult `json:"items"`
}

// BulkItemResult is what became of one item at submit time.
type BulkItemResult struct {
	Index  int        `json:"index"`
	Status BulkStatus `json:"status"`
	// ClientReferenceID is echoed as it was sent.
	ClientReferenceID string `json:"clientReferenceId,omitempty"`
	// SubmissionID is the item's own. A rejected item has none, unless it was
	// rejected as enqueue_failed.
	SubmissionID string `json:"submissionId,omitempty"`
	// Errors are all the reasons of a rejection; absent otherwise.
	Errors []BulkItemError `json:"errors,omitempty"`
}

// BulkStatus is what submit-bulk says of an item.
type BulkStatus string

// The statuses of a submit-bulk item.
const (
	BulkQueued       BulkStatus = "queued"
	BulkRejected     BulkStatus = "rejected"
	BulkDeduplicated BulkStatus = "deduplicated"
)

// BulkItemError is one reason why an item was rejected.
type BulkItemError struct {
	Code SubmissionError `json:"code"`
	// Field is the item's field, dotted below the top; null when it is none's fault.
	Field   *string `json:"field"`
	Message string  `json:"message"`
}
