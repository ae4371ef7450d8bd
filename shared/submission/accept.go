package submission

import (
	"context"
	"slices"

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

// pairsPerTransaction: a transaction takes 100 actions, a pair is two.
const pairsPerTransaction = 50

// Accept commits the batch's header and, for each submission, a row with a live
// item, or a row alone that says deduplicated when a submission of the same
// candidate is in flight or stands earlier in subs. One past its deadline gives
// way: its row is not written again, every reader computes its time-out.
//
// Accept is safe to repeat: what an earlier attempt at the batch wrote is kept
// and reported. Outcomes are aligned with subs. One call for up to 49 items,
// three for up to 100; as many again, without the header's, where some are
// duplicates or repeated.
func (s *Store) Accept(ctx context.Context, b Batch, subs []Submission) ([]Outcome, error) {
	entries := make([]entry, len(subs))
	for i, first := range firsts(subs) {
		entries[i] = entry{Submission: subs[i], status: contract.Queued}
		if first != i {
			entries[i].status = contract.Deduplicated
		}
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for _, c := range s.chunks(b, entries) {
		group.Go(func() error { return c.commit(groupCtx) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(entries))
	for i, e := range entries {
		outcomes[i] = e.outcome()
	}
	return outcomes, s.failCollapsed(ctx, subs, outcomes)
}

// chunks are the transactions of a batch. The header goes with the entries where
// one transaction holds both, and by itself beside two full ones.
func (s *Store) chunks(b Batch, entries []entry) []chunk {
	if len(entries) < pairsPerTransaction {
		return []chunk{{store: s, header: &b, entries: entries}}
	}
	all := []chunk{{store: s, header: &b}}
	for part := range slices.Chunk(entries, pairsPerTransaction) {
		all = append(all, chunk{store: s, entries: part})
	}
	return all
}

// firsts tells of each submission which is the first of the same candidate: most
// often itself.
func firsts(subs []Submission) []int {
	first, seen := make([]int, len(subs)), make(map[string]int, len(subs))
	for i, sub := range subs {
		id := sub.liveID()
		if _, known := seen[id]; !known {
			seen[id] = i
		}
		first[i] = seen[id]
	}
	return first
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
