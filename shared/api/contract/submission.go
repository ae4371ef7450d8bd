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
	ClientReferenceID string          `json:"clientReferenceId,omitempty" doc:"As it was sent; none once the person is erased."`
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
	ClientReferenceID string      `json:"clientReferenceId,omitempty" doc:"Of a batch of one, as it was sent; none once the person is erased."`
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
