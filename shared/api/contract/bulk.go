package contract

// ResumeUpload is the response of POST /resumes, which has a [ResumeFile] as body: an
// upload to refer to until it expires. The same bytes from the same agency yield
// the same unexpired upload.
type ResumeUpload struct {
	ResumeFileID string  `json:"resumeFileId" check:"format=uuid" doc:"Id that bulk items refer to."`
	FileName     *string `json:"fileName" doc:"As sent with the upload; null when omitted."`
	ContentType  string  `json:"contentType" doc:"Detected from the content."`
	SizeBytes    int64   `json:"sizeBytes" check:"min=0" doc:"Size of the decoded file."`
	SHA256       string  `json:"sha256" doc:"SHA-256 of the decoded file, in hexadecimal."`
	CreatedAt    Time    `json:"createdAt"`
	ExpiresAt    Time    `json:"expiresAt" doc:"When the upload expires; its id is then unknown."`
}

// BulkRequest is the body of POST …/submit-bulk and its Idempotency-Key.
type BulkRequest struct {
	IdempotencyKey string     `header:"Idempotency-Key" json:"-" check:"min=1,max=255,format=printable" doc:"Makes a retry safe: the same key and body replay the whole response for 24 hours."`
	Items          []BulkItem `json:"items,omitzero" check:"required,min=1,max=100" doc:"The candidates; each is validated separately."`
}

// BulkItem is one candidate of a bulk submission. The schema has the documented bounds;
// what the strings must mean, and how long they may be, is checked item by item
// (contract, Submission validation).
type BulkItem struct {
	Name              string          `json:"name" check:"required,min=1,nonblank" doc:"The candidate's full name, of at most 300 characters."`
	LinkedInURL       string          `json:"linkedinUrl" check:"required" doc:"The candidate's LinkedIn profile."`
	Email             string          `json:"email" check:"required" doc:"The candidate's e-mail address."`
	Preferences       WorkPreferences `json:"preferences" check:"required" doc:"The candidate's work preferences."`
	ScreeningCallLink *string         `json:"screeningCallLink,omitzero" doc:"Recording or notes of a screening call."`
	RecruiterEmail    *string         `json:"recruiterEmail,omitzero" check:"max=320" doc:"The approved member to attribute the candidate to; the agency's owner when omitted."`
	Resume            ResumeReference `json:"resume" check:"required" doc:"The uploaded resume."`
	// OnMarketConfirmed is checked and stored nowhere.
	OnMarketConfirmed bool    `json:"onMarketConfirmed" check:"required,const=true" doc:"Must be true: you attest that the candidate is on the market now."`
	ClientReferenceID *string `json:"clientReferenceId,omitzero" check:"min=1,max=128,format=line" doc:"Your own reference, echoed unchanged. It must not identify the person."`
}

// ResumeReference names an upload of POST /resumes by the same agency.
type ResumeReference struct {
	ResumeFileID string `json:"resumeFileId" check:"required" doc:"The id that POST /resumes returned."`
}

// BulkResponse lists item by item what was accepted.
type BulkResponse struct {
	BatchID string           `json:"batchId" check:"format=uuid" doc:"The batch to poll."`
	Items   []BulkItemResult `json:"items" doc:"Aligned with the items of the request."`
}

// BulkItemResult is the result of one item at submit time.
type BulkItemResult struct {
	Index             int             `json:"index" check:"min=0" doc:"Position of the item in the request."`
	Status            BulkStatus      `json:"status" check:"enum=bulkStatus" doc:"Whether the item was accepted."`
	ClientReferenceID string          `json:"clientReferenceId,omitempty" doc:"As sent."`
	SubmissionID      string          `json:"submissionId,omitempty" check:"format=uuid" doc:"The item's own id. Rejected items have none, except with code enqueue_failed."`
	Errors            []BulkItemError `json:"errors,omitempty" doc:"All reasons for the rejection."`
}

// BulkStatus is the status of an item in the response of submit-bulk.
type BulkStatus string

// The statuses of a submit-bulk item.
const (
	BulkQueued       BulkStatus = "queued"
	BulkRejected     BulkStatus = "rejected"
	BulkDeduplicated BulkStatus = "deduplicated"
)

// BulkItemError is one reason why an item was rejected.
type BulkItemError struct {
	Code    SubmissionError `json:"code" check:"enum=bulkError" doc:"Why the item was rejected."`
	Field   *string         `json:"field" doc:"Dotted path of the field within the item; null when no field is at fault."`
	Message string          `json:"message" doc:"Human-readable; do not parse."`
}
