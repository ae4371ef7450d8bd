package submission

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// The public messages of the ends that this package itself decides.
const (
	timedOutMessage  = "Ingestion did not finish in time. Submit the candidate again."
	exhaustedMessage = "Ingestion failed repeatedly because of an internal error. Submit the candidate again later."
	enqueueMessage   = "The submission could not be queued. Submit the candidate again."
)

// endIfDue ends an item that is past its deadline, or past the lease of its last attempt.
// It reports whether it, or another process at the same time, did.
func (s *Store) endIfDue(ctx context.Context, item liveItem, now time.Time) (bool, error) {
	switch {
	case item.Deadline <= now.UnixMilli():
		err := s.endLive(ctx, item, contract.IngestTimedOut, timedOutMessage, time.UnixMilli(item.Deadline))
		return true, cloud.IgnoreCondition(err)
	case item.failedAttempts() >= MaxAttempts && item.Lease <= now.UnixMilli():
		err := s.endLive(ctx, item, contract.InternalError, exhaustedMessage, now)
		return true, cloud.IgnoreCondition(err)
	}
	return false, nil
}

// endLive ends, as of at, an item that no worker holds or that has a worker too late, with its files.
// Its conditions on the attempts and the lease fail if the item has changed since it was read.
func (s *Store) endLive(ctx context.Context, item liveItem, code contract.SubmissionError, message string, at time.Time) error {
	sub, err := item.decodeSubmission()
	if err != nil {
		return err
	}
	live := s.deleteLive(item.ID).If("sid = ? AND attempts = ? AND lease = ?", item.SubmissionID, item.Attempts, item.Lease)
	err = s.failItem(live, failure{Submission: sub, code: code, message: message, at: at}).Run(ctx)
	if err != nil {
		return err
	}
	if item.Attempts == 0 {
		return s.DropSentFile(ctx, sub)
	}
	return s.dropFiles(ctx, sub)
}

// dropFiles removes the files of an item that a worker had and that has ended without
// success. The item is deleted first, because its worker may yet have succeeded. If the
// process dies in between, the disposal names the files.
func (s *Store) dropFiles(ctx context.Context, sub Submission) error {
	if s.Discard == nil {
		return nil
	}
	return errors.Join(s.Discard(ctx, sub.CopyKey()), s.DropSentFile(ctx, sub))
}

// DropSentFile removes the file that came with a single submit. One that was uploaded
// before stays for other submissions. It is removed after the item: until then another
// attempt may need it. If the process dies in between, a disposal names the file, or the
// key of the membership's copy leads to it.
func (s *Store) DropSentFile(ctx context.Context, sub Submission) (err error) {
	defer fault.Wrap(&err, "submission.DropSentFile")

	if s.Discard == nil || sub.UploadID != uuid.Nil {
		return nil
	}
	return s.Discard(ctx, sub.ResumeKey)
}

// FailEnqueue ends an item after its queue message was refused. It reports whether there was
// something to end: a worker may have claimed the item all the same, or its time is over.
func (s *Store) FailEnqueue(ctx context.Context, sub Submission, now time.Time) (_ bool, err error) {
	defer fault.Wrap(&err, "submission.FailEnqueue")

	live := s.deleteLive(sub.liveID()).If("sid = ? AND attempts = ? AND deadline > ?", sub.ID.String(), 0, now.UnixMilli())
	err = s.failItem(live, failure{Submission: sub, code: contract.EnqueueFailed, message: enqueueMessage, at: now}).Run(ctx)
	return err == nil, cloud.IgnoreCondition(err)
}

// FailExhausted ends a claim after its last attempt failed.
func (s *Store) FailExhausted(ctx context.Context, c Claim, now time.Time) (err error) {
	defer fault.Wrap(&err, "submission.FailExhausted")

	return s.Fail(ctx, c, contract.InternalError, exhaustedMessage, now)
}

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
	s.recordFailures(tx, failure{Submission: sub, code: contract.EnqueueFailed, at: sub.SubmittedAt})
	err := tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) { // an earlier attempt was here
		err = row().If("code = ?", contract.EnqueueFailed).Run(ctx)
	}
	if dynamo.IsCondCheckFailed(err) {
		return fmt.Errorf("a collapsed row is not a duplicate: %w", err)
	}
	return err
}
