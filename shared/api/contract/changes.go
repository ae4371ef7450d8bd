package contract

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
	ClientReferenceID string          `json:"clientReferenceId,omitempty" doc:"As it was sent with the submission; none once the person is erased."`
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
