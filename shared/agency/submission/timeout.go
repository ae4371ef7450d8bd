package submission

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

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
	tx := s.write().
		Delete(s.deleteLive(item.ID).If("sid = ? AND attempts = ? AND lease = ?", item.SubmissionID, item.Attempts, item.Lease)).
		Update(s.failRow(sub, code, message, at))
	s.addEndRecords(tx, sub, at)
	s.recordFailures(tx, failure{sub, code, at})
	if err := tx.Run(ctx); err != nil {
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
	if s.discard == nil {
		return nil
	}
	return errors.Join(s.discard(ctx, sub.CopyKey()), s.DropSentFile(ctx, sub))
}

// DropSentFile removes the file that came with a single submit. One that was uploaded
// before stays for other submissions. It is removed after the item: until then another
// attempt may need it. If the process dies in between, a disposal names the file, or the
// key of the membership's copy leads to it.
func (s *Store) DropSentFile(ctx context.Context, sub Submission) (err error) {
	defer fault.Wrap(&err, "submission.DropSentFile")

	if s.discard == nil || sub.UploadID != uuid.Nil {
		return nil
	}
	return s.discard(ctx, sub.ResumeKey)
}

// FailEnqueue ends an item after its queue message was refused. It reports whether there was
// something to end: a worker may have claimed the item all the same, or its time is over.
func (s *Store) FailEnqueue(ctx context.Context, sub Submission, now time.Time) (_ bool, err error) {
	defer fault.Wrap(&err, "submission.FailEnqueue")

	tx := s.write().
		Delete(s.deleteLive(sub.liveID()).If("sid = ? AND attempts = ? AND deadline > ?", sub.ID.String(), 0, now.UnixMilli())).
		Update(s.failRow(sub, contract.EnqueueFailed, enqueueMessage, now))
	s.addEndRecords(tx, sub, now)
	s.recordFailures(tx, failure{sub, contract.EnqueueFailed, now})
	err = tx.Run(ctx)
	return err == nil, cloud.IgnoreCondition(err)
}

// FailExhausted ends a claim after its last attempt failed.
func (s *Store) FailExhausted(ctx context.Context, c Claim, now time.Time) (err error) {
	defer fault.Wrap(&err, "submission.FailExhausted")

	return s.Fail(ctx, c, contract.InternalError, exhaustedMessage, now)
}
