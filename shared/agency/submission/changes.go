package submission

import (
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// SuccessChange returns the feed's change for a submission that succeeded.
func (s Submission) SuccessChange(candidateUserID string, at time.Time) changefeed.Change {
	c := s.newChange(contract.SubmissionSucceeded, at)
	c.CandidateUserID, c.Status = candidateUserID, contract.ChangeStatus(contract.Succeeded)
	return c
}

func (s Submission) newChange(of contract.ChangeType, at time.Time) changefeed.Change {
	c := changefeed.Change{Type: of, At: at.UnixMilli(), BatchID: s.BatchID.String(), SubmissionID: s.ID.String()}
	if s.ClientReferenceID != "" {
		c.ReferredItem = s.Index + 1
	}
	return c
}

// failure is a submission that failed with a code at a time.
type failure struct {
	Submission
	code contract.SubmissionError
	at   time.Time
}

// recordFailures adds to the transaction that ends some submissions the entry of the feed.
func (s *Store) recordFailures(tx *dynamo.WriteTx, failed ...failure) {
	if s.feed == nil || len(failed) == 0 {
		return
	}
	entry := changefeed.Entry{Subject: failed[0].ID.String(), RecordedAt: s.feed.Now()}
	for _, f := range failed {
		c := f.newChange(contract.SubmissionFailed, f.at)
		c.Status, c.ErrorCode = contract.ChangeStatus(contract.Failed), f.code
		entry.Changes = append(entry.Changes, c)
	}
	s.feed.Record(tx, failed[0].Tenant(), entry)
}
