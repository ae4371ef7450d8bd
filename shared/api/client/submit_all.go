package client

import (
	"context"
	"iter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Candidate is a candidate for [Client.SubmitAll].
type Candidate struct {
	// Item is what is submitted. Its ClientReferenceID is required and its own among all candidates.
	// Its Resume is set by SubmitAll.
	Item contract.BulkItem
	// ResumeName is the name of the resume's file, "" for none.
	ResumeName string
	// ReadResume returns the resume's bytes. It is called right before they are uploaded, by several
	// goroutines for different candidates, and for each candidate of the journal, to see whether they
	// have changed.
	ReadResume func() ([]byte, error)
}

// SubmitAllOptions are the settings of [Client.SubmitAll].
type SubmitAllOptions struct {
	// Journal is the path of a file that records what was sent, so that the same call after a crash
	// continues where that one ended. It is created with mode 600, and holds references, ids and
	// outcomes but nothing of a resume. A link is refused. With "" nothing is recorded.
	Journal string
	// RetryFailed sends candidates of the journal again that were rejected or failed, though they
	// have not changed.
	RetryFailed bool
	// Progress is called after every step, by one goroutine at a time.
	Progress func(Progress)
}

// Progress is how far [Client.SubmitAll] has come, in numbers of candidates. What an earlier call
// recorded in the journal is included.
type Progress struct {
	Candidates, Uploaded, Submitted, Ended int
	// Requests is the number of requests of the write tier that are still to be sent.
	Requests int
	// Pause is above zero if the next request waits that long for the rate of the key.
	Pause time.Duration
}

// OutcomeStatus is what became of a candidate.
type OutcomeStatus string

// The outcomes of a candidate. All but Rejected are those of a batch item.
const (
	OutcomeSucceeded    = OutcomeStatus(contract.Succeeded)
	OutcomeFailed       = OutcomeStatus(contract.Failed)
	OutcomeDeduplicated = OutcomeStatus(contract.Deduplicated)
	// OutcomeRejected means that the resume was refused or the item was rejected at submit time.
	OutcomeRejected = OutcomeStatus(contract.BulkRejected)
)

// Outcome is what became of one candidate. Which ids are set depends on how far it came.
type Outcome struct {
	ClientReferenceID string        `json:"clientReferenceId"`
	Status            OutcomeStatus `json:"status"`
	BatchID           string        `json:"batchId,omitempty"`
	SubmissionID      string        `json:"submissionId,omitempty"`
	CandidateUserID   string        `json:"candidateUserId,omitempty"`
	// Errors has the reasons of a rejection, or the one of a failure. Take an unknown code as final.
	Errors []contract.BulkItemError `json:"errors,omitempty"`
}

// NotStartedError is why [Client.SubmitAll] has sent nothing and not even returned the outcomes that its
// journal may hold.
type NotStartedError struct{ cause error }

// Error returns the reason.
func (e *NotStartedError) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *NotStartedError) Unwrap() error { return e.cause }

// SubmitAll submits all candidates and returns the outcome of each, as it becomes known, by its
// ClientReferenceID. It uploads the resumes, submits bulks of at most 100 items, and reads their
// batches until every item has ended. It waits before a request for which the key has no rate left,
// as with [WithPacing].
//
// An error ends the outcomes and is the last pair. If there is a journal, the same call continues
// after an error, a crash or a loop that was left: outcomes that are known are returned again at
// once, and no candidate is submitted twice. For that the Idempotency-Key of each bulk is in the
// journal before the request is sent; an upload that was under way may be repeated, which yields
// the same upload. Only one call can use a journal at a time.
//
// A [NotStartedError] means that nothing was sent and no outcome returned: a candidate without a
// reference or with that of another one, or a journal that is damaged, in use, or of another key or
// base URL.
//
// A candidate of the journal that did not succeed is sent again when its item or its resume has
// changed, or with RetryFailed: in another bulk, with an Idempotency-Key of its own, under the same
// ClientReferenceID. One that succeeded never is. A [HeldError] is the last error of a call that has
// otherwise done everything: it has the candidates that could not be sent.
func (c *Client) SubmitAll(ctx context.Context, candidates []Candidate, options SubmitAllOptions) iter.Seq2[Outcome, error] {
	return func(yield func(Outcome, error) bool) {
		run, err := c.openRun(candidates, options)
		if err != nil {
			yield(Outcome{}, &NotStartedError{err})
			return
		}
		defer run.journal.close()
		if len(run.again) > 0 {
			err = run.journal.append(record{Again: run.again})
		}
		if err != nil {
			yield(Outcome{}, &NotStartedError{err})
			return
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		run.cancel = cancel
		go run.start(ctx)
		open := true
		for outcome := range run.outcomes {
			open = open && yield(outcome, nil)
			if !open {
				cancel(context.Canceled)
			}
		}
		if err := context.Cause(ctx); open && err != nil {
			yield(Outcome{}, err)
		}
	}
}
