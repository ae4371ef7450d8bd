package contract

import "slices"

// SubmitRequest is the body and the Idempotency-Key of a single submission
// (contract, POST /talent-network/candidates/submit).
type SubmitRequest struct {
	IdempotencyKey    string          `header:"Idempotency-Key" json:"-" check:"min=1,max=255,format=printable" doc:"Makes a retry safe: the same key and body return the same batch for 24 hours."`
	Name              string          `json:"name" check:"required,min=1,max=300,nonblank,format=line" doc:"The candidate's full name."`
	LinkedInURL       string          `json:"linkedinUrl" check:"required,max=2048,format=linkedin" doc:"The candidate's LinkedIn profile."`
	Email             string          `json:"email" check:"required,max=320,format=email" doc:"The candidate's e-mail address."`
	Preferences       WorkPreferences `json:"preferences" check:"required" doc:"The candidate's work preferences."`
	ScreeningCallLink *string         `json:"screeningCallLink,omitzero" check:"max=2048,format=link" doc:"Recording or notes of a screening call."`
	RecruiterEmail    *string         `json:"recruiterEmail,omitzero" check:"max=320,format=email" doc:"The approved member to attribute the candidate to; the agency's owner when omitted."`
	Resume            ResumeFile      `json:"resume" check:"required" doc:"The resume file."`
	ClientReferenceID *string         `json:"clientReferenceId,omitzero" check:"min=1,max=128,format=line" doc:"Your own reference, echoed unchanged. It must not identify the person."`
}

// ResumeFile is a file inside a JSON body.
type ResumeFile struct {
	FileName *string `json:"fileName,omitzero" check:"max=255,format=line" doc:"Display name of the file; its type is detected from its content."`
	// ContentBase64 is standard or URL-safe base64, padded or not; a data: prefix is accepted.
	ContentBase64 string `json:"contentBase64" check:"required,min=1,encoding=base64" doc:"The file's bytes in base64."`
}

// SubmitResponse confirms what was accepted. The outcome is read from the batch.
type SubmitResponse struct {
	Accepted          bool   `json:"accepted" check:"const=true" doc:"Always true."`
	Deduplicated      bool   `json:"deduplicated" doc:"True while an earlier submission of the candidate is in flight."`
	BatchID           string `json:"batchId" check:"format=uuid" doc:"The batch to poll."`
	SubmissionID      string `json:"submissionId" check:"format=uuid" doc:"Id of the submission, as in the batch."`
	ClientReferenceID string `json:"clientReferenceId,omitempty" doc:"As sent."`
}

// BatchRequest names a batch.
type BatchRequest struct {
	BatchID string `path:"batchId" check:"required,format=uuid" doc:"The batch to read."`
}

// Batch is the response of GET …/batches/{batchId} (contract, Submission batch).
type Batch struct {
	BatchID   string      `json:"batchId" check:"format=uuid" doc:"As returned on submission."`
	CreatedAt Time        `json:"createdAt"`
	ItemCount int         `json:"itemCount" check:"min=0" doc:"Number of items in the request."`
	Items     []BatchItem `json:"items" doc:"Ordered by index; items rejected on submission are omitted."`
}

// Terminal reports whether all items have a final status.
func (b Batch) Terminal() bool {
	return !slices.ContainsFunc(b.Items, func(item BatchItem) bool { return !item.Status.Terminal() })
}

// BatchItem is one submission of a batch.
type BatchItem struct {
	SubmissionID      string          `json:"submissionId" check:"format=uuid" doc:"The submission."`
	Index             int             `json:"index" check:"min=0" doc:"Position of the item in the request."`
	ClientReferenceID string          `json:"clientReferenceId,omitempty" doc:"As sent; removed once the person is erased."`
	Status            ItemStatus      `json:"status" check:"enum=itemStatus" doc:"State of the item; queued and processing are not final."`
	UpdatedAt         Time            `json:"updatedAt" doc:"Time of the last transition."`
	CandidateUserID   string          `json:"candidateUserId,omitempty" doc:"The membership; set on success."`
	ErrorCode         SubmissionError `json:"errorCode,omitempty" check:"enum=submissionError" doc:"Set on failure; treat unknown codes as final."`
	ErrorMessage      string          `json:"errorMessage,omitempty" doc:"Set on failure; human-readable."`
}

// ListBatchesRequest asks for a page of the agency's batches.
type ListBatchesRequest struct {
	Limit  int64   `query:"limit" check:"limit=50/100" doc:"Batches per page."`
	Cursor *string `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page."`
}

// BatchList is a page of batches, newest first. It can be short before the end.
type BatchList struct {
	Batches    []BatchSummary `json:"batches" doc:"Newest first; a page can be short before the end."`
	NextCursor *string        `json:"nextCursor" doc:"Null on the last page."`
}

// BatchSummary is a batch in a list.
type BatchSummary struct {
	BatchID           string      `json:"batchId" check:"format=uuid" doc:"As returned on submission."`
	CreatedAt         Time        `json:"createdAt"`
	ItemCount         int         `json:"itemCount" check:"min=0" doc:"Number of items in the request."`
	Counts            BatchCounts `json:"counts" doc:"Items by status; items rejected on submission are not counted."`
	ClientReferenceID string      `json:"clientReferenceId,omitempty" doc:"For a batch of one item, as sent; removed once the person is erased."`
}

// BatchCounts counts the items of a batch by [ItemStatus].
type BatchCounts struct {
	Queued       int `json:"queued" check:"min=0"`
	Processing   int `json:"processing" check:"min=0"`
	Succeeded    int `json:"succeeded" check:"min=0"`
	Failed       int `json:"failed" check:"min=0"`
	Deduplicated int `json:"deduplicated" check:"min=0"`
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

// Terminal reports whether the state never changes again.
func (s ItemStatus) Terminal() bool { return s != Queued && s != Processing }

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

// ListChangesRequest asks for the changes after a position.
type ListChangesRequest struct {
	Cursor *string      `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page; omitted: from the oldest retained change; latest: from now on."`
	Limit  int64        `query:"limit" check:"limit=100/500" doc:"Changes per page."`
	Types  []ChangeType `query:"type" check:"enum=changeType" doc:"Only changes of these types."`
}

// ChangeList is a page of changes, oldest first (contract, GET /talent-network/changes).
type ChangeList struct {
	Changes    []Change `json:"changes" doc:"In the agency's total order, oldest first."`
	NextCursor string   `json:"nextCursor" doc:"Always set; send it with the next poll."`
	HasMore    bool     `json:"hasMore" doc:"True: the next page can be read immediately."`
}

// Change is what happened to a submission or a candidate. It holds ids and nothing of a person.
type Change struct {
	ID                string          `json:"id" doc:"Unique within the agency and environment."`
	Type              ChangeType      `json:"type" check:"enum=changeType" doc:"Kind of change; ignore unknown ones."`
	OccurredAt        Time            `json:"occurredAt" doc:"When it happened. Use the order of the list, not this time, to order changes."`
	BatchID           string          `json:"batchId,omitempty" check:"format=uuid" doc:"The batch of a submission."`
	SubmissionID      string          `json:"submissionId,omitempty" check:"format=uuid" doc:"The submission."`
	ClientReferenceID string          `json:"clientReferenceId,omitempty" doc:"As sent with the submission; removed once the person is erased."`
	CandidateUserID   string          `json:"candidateUserId,omitempty" doc:"The membership."`
	Status            ChangeStatus    `json:"status,omitempty" check:"enum=changeStatus" doc:"The status of a submission, or the market status of a candidate who was added or changed market state."`
	ErrorCode         SubmissionError `json:"errorCode,omitempty" check:"enum=submissionError" doc:"Set when the submission failed; treat unknown codes as final."`
}

// ChangeType says what happened.
type ChangeType string

// The types of changes.
const (
	SubmissionSucceeded ChangeType = "submission.succeeded"
	SubmissionFailed    ChangeType = "submission.failed"
	CandidateAdded      ChangeType = "candidate.added"
	PreferencesChanged  ChangeType = "candidate.preferences_changed"
	MarketChanged       ChangeType = "candidate.market_changed"
	FastTrackChanged    ChangeType = "candidate.fast_track_changed"
	CandidateRemoved    ChangeType = "candidate.removed"
)
