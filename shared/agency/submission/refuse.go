package submission

import (
	"context"
	"errors"
	"fmt"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// enqueueFailed is the outcome of a submission that never reached the queue.
var enqueueFailed = Outcome{Status: contract.Failed, Code: contract.EnqueueFailed}

// maxParallelWrites bounds the concurrent writes when the queue takes nothing at all.
const maxParallelWrites = 25

// EndRefused ends the submissions (by position in subs) with hints that the queue refused,
// and those that were collapsed onto them, and says so in outcomes. One that a worker has
// claimed all the same keeps its outcome. After an error it is unknown whether an item
// was ended, so nothing may be reported; a repeated Accept reads it.
func (s *Store) EndRefused(ctx context.Context, subs []Submission, outcomes []Outcome, refused []int) (err error) {
	defer fault.Wrap(&err, "submission.EndRefused")

	err = cloud.ForEach(maxParallelWrites, refused, func(_, i int) error {
		failed, err := s.FailEnqueue(ctx, subs[i], subs[i].SubmittedAt)
		if failed {
			outcomes[i] = enqueueFailed
		}
		return err
	})
	return errors.Join(err, s.failCollapsed(ctx, subs, outcomes))
}

// failCollapsed lets the items that were collapsed onto a first one which never
// reached the queue share its end.
func (s *Store) failCollapsed(ctx context.Context, subs []Submission, outcomes []Outcome) error {
	return cloud.ForEach(maxParallelWrites, firstOccurrences(subs), func(i, first int) error {
		if first == i || !outcomes[first].EnqueueFailed() || outcomes[i].EnqueueFailed() {
			return nil
		}
		err := s.failDuplicate(ctx, subs[i])
		if err == nil {
			outcomes[i] = enqueueFailed
		}
		return err
	})
}

// failDuplicate is the one change of an item that is deduplicated: no response has
// reported it yet.
func (s *Store) failDuplicate(ctx context.Context, sub Submission) error {
	row := func() *dynamo.Update {
		return s.setRow(sub, sub.SubmittedAt).Set("status", contract.Failed).Set("code", contract.EnqueueFailed).Set("message", enqueueMessage)
	}
	tx := s.write().Update(row().If("attribute_not_exists(pk)"))
	s.recordFailures(tx, failure{sub, contract.EnqueueFailed, sub.SubmittedAt})
	err := tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) { // an earlier attempt was here
		err = row().If("code = ?", contract.EnqueueFailed).Run(ctx)
	}
	if dynamo.IsCondCheckFailed(err) {
		return fmt.Errorf("a collapsed row is not a duplicate: %w", err)
	}
	return err
}
