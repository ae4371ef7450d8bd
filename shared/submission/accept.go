package submission

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// Outcome is what became of one submission when it was accepted.
type Outcome struct {
	// Status is Queued or Deduplicated, or the state that an earlier attempt at
	// the same batch has already come to.
	Status contract.ItemStatus
	// Code tells a recorded failure.
	Code contract.SubmissionError
	// Hint is the queue message; "" when there is nothing to run.
	Hint string
}

// EnqueueFailed tells that an earlier attempt could not queue the submission.
func (o Outcome) EnqueueFailed() bool { return o.Code == contract.EnqueueFailed }

// pairsPerTransaction leaves room for the header: a transaction takes 100
// actions, a pair is two.
const pairsPerTransaction = 49

// Accept commits the batch's header and, for each submission, a row with a live
// item, or a row alone that says deduplicated when an earlier submission of the
// same candidate is in flight. One past its deadline gives way: its row is not
// written again, every reader computes its time-out.
//
// Accept is safe to repeat: what an earlier attempt at the batch wrote is kept
// and reported. Outcomes are aligned with subs, whose dedupe identities must
// differ. One call for 49 items, one more when some are duplicates or repeated.
func (s *Store) Accept(ctx context.Context, b Batch, subs []Submission) ([]Outcome, error) {
	entries := make([]entry, len(subs))
	for i, sub := range subs {
		entries[i] = entry{Submission: sub, status: contract.Queued}
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for from := 0; from == 0 || from < len(entries); from += pairsPerTransaction {
		c := chunk{store: s, entries: entries[from:min(from+pairsPerTransaction, len(entries))]}
		if from == 0 {
			c.header = &b
		}
		group.Go(func() error { return c.commit(groupCtx) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(entries))
	for i, e := range entries {
		outcomes[i] = e.outcome()
	}
	return outcomes, nil
}

// entry is a submission and what is known of its place in the batch.
type entry struct {
	Submission
	// status is what its row shall say, or says when written.
	status contract.ItemStatus
	// written: an earlier attempt at the batch has committed the row.
	written bool
	code    contract.SubmissionError
}

func (e entry) outcome() Outcome {
	if e.status.Terminal() {
		return Outcome{Status: e.status, Code: e.code}
	}
	return Outcome{Status: e.status, Hint: hint{e.liveID(), e.ID.String()}.String()}
}
