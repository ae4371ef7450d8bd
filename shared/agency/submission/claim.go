package submission

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// What a worker can find instead of work. None of them is a failure.
var (
	// ErrGone: the submission has ended, or another one has its place.
	ErrGone = errors.New("the submission is no longer in flight")
	// ErrBusy: another worker holds the lease.
	ErrBusy = errors.New("another worker runs the submission")
)

// Claim is a worker's hold on an in-flight item. Every write of a claim is conditional on its
// nonce and on the deadline: a worker loses if it has given the item back, if its lease
// ended and was noticed, or if the item reads as timed out.
type Claim struct {
	Submission
	// Attempt counts from 1 to MaxAttempts; Parks counts the claims that ended in [Store.Park].
	Attempt, Parks int
	// Evidence is what the worker judged of the resume's identity. It is stored
	// with the end of the item, for operators alone.
	Evidence string
	nonce    string
	live     string
}

// LastAttempt reports whether a failure of this attempt ends the item.
func (c Claim) LastAttempt() bool { return c.Attempt >= MaxAttempts }

// Claim leases the item that a queue message names. nonce names this worker's attempt
// alone. It returns [ErrGone] or [ErrBusy] when there is nothing to do, and ends an item
// instead of returning it if its attempts are used up or its time is over.
func (s *Store) Claim(ctx context.Context, message, nonce string, now time.Time, lease time.Duration) (_ Claim, err error) {
	defer fault.Wrap(&err, "submission.Claim(message)")

	h, err := parseWakeUp(message)
	if err != nil {
		return Claim{}, err
	}
	item, err := s.getInFlight(ctx, h)
	if err != nil {
		return Claim{}, err
	}
	switch {
	case item.Lease > now.UnixMilli() && item.Nonce == nonce: // ours: its answer was lost
		return item.toClaim()
	case item.Lease > now.UnixMilli():
		return Claim{}, ErrBusy
	}
	if ended, err := s.endIfDue(ctx, item, now); err != nil {
		return Claim{}, err
	} else if ended {
		return Claim{}, ErrGone
	}
	// The attempts and the lease, as they were read, are the item's version.
	until := now.Add(lease).UnixMilli()
	lock := s.updateInFlight(item.ID).
		Set("attempts", item.Attempts+1).Set("lease", until).Set("nonce", nonce).Set("due", min(until, item.Deadline)).
		If("sid = ? AND ((attempts = ? AND lease = ?) OR nonce = ?)", item.SubmissionID, item.Attempts, item.Lease, nonce)
	item.Attempts++
	item.Nonce = nonce
	c, err := item.toClaim()
	if err != nil {
		return Claim{}, err
	}
	err = s.write().Update(lock).Update(s.updateRow(c.Submission, now).Set("status", contract.Processing).Remove("parked")).Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return Claim{}, ErrBusy
	}
	return c, err
}

func (s *Store) getInFlight(ctx context.Context, h wakeUp) (inFlightItem, error) {
	var item inFlightItem
	_, err := cloud.GetItem(ctx, s.table, h.InFlight, inFlightKind, &item)
	if err == nil && item.SubmissionID != h.Submission {
		return item, ErrGone
	}
	return item, err
}

func (l inFlightItem) toClaim() (Claim, error) {
	sub, err := l.decodeSubmission()
	return Claim{Submission: sub, Attempt: l.failedAttempts(), Parks: l.Parks, nonce: l.Nonce, live: l.ID}, err
}

// claimHolds is the condition, and its arguments, that a claim is good at now.
const claimHolds = "sid = ? AND nonce = ? AND deadline > ?"

func (c Claim) holdsArgs(now time.Time) []any {
	return []any{c.ID.String(), c.nonce, now.UnixMilli()}
}

// Requeue releases the item after a failed attempt: queued again, due after
// wait, or ended, with its files, after the last attempt. A claim lost in the meantime is not an error.
func (s *Store) Requeue(ctx context.Context, c Claim, now time.Time, wait time.Duration) (err error) {
	defer fault.Wrap(&err, "submission.Requeue(batchID, index)")

	if c.LastAttempt() {
		return s.Fail(ctx, c, contract.InternalError, exhaustedMessage, now)
	}
	due := min(now.Add(wait).UnixMilli(), c.Deadline.UnixMilli())
	return cloud.IgnoreCondition(s.write().
		Update(s.freeInFlight(c.live).Set("due", due).If(claimHolds, c.holdsArgs(now)...)).
		Update(s.updateRow(c.Submission, now).Set("status", contract.Queued)).
		Run(ctx))
}

// Park releases the item without counting the attempt: it is queued, and the sweeper sends
// its wake-up message at the time until, from which its time-out begins again (see [Store.LastDeadline]).
// A claim that was lost in the meantime is no error.
func (s *Store) Park(ctx context.Context, c Claim, now, until time.Time) (err error) {
	defer fault.Wrap(&err, "submission.Park(batchID, index)")

	deadline := min(until.Add(s.settings.Timeout).UnixMilli(), s.LastDeadline(c.Submission).UnixMilli())
	deadline = max(deadline, c.Deadline.UnixMilli())
	due := min(until.UnixMilli(), deadline)
	live := s.freeInFlight(c.live).Set("due", due).Set("deadline", deadline).Set("interval", s.settings.Resend.Milliseconds()).Add("parks", 1)
	return cloud.IgnoreCondition(s.write().
		Update(live.If(claimHolds, c.holdsArgs(now)...)).
		Update(s.updateRow(c.Submission, now).Set("status", contract.Queued).Set("parked", due).Set("deadline", deadline)).
		Run(ctx))
}

// Fail ends the item with an error code, and with it its files. A claim lost in the
// meantime is not an error.
func (s *Store) Fail(ctx context.Context, c Claim, code contract.SubmissionError, message string, now time.Time) (err error) {
	defer fault.Wrap(&err, "submission.Fail(batchID, index)")

	live := s.deleteInFlight(c.live).If(claimHolds, c.holdsArgs(now)...)
	err = s.failItem(live, failure{c.Submission, code, message, c.Evidence, now}).Run(ctx)
	if err != nil {
		return cloud.IgnoreCondition(err)
	}
	return s.dropFiles(ctx, c.Submission)
}

// Succeed adds the end of the item to the transaction that writes the
// candidate's membership, so that both are true at the same moment. The
// transaction fails on a condition when the claim was lost. unused is a file that the
// membership does not need any more ("" for none): the transaction also writes a disposal
// of it, and links the person to the submission that it came with.
func (s *Store) Succeed(tx *dynamo.WriteTx, c Claim, candidateUserID, unused string, now time.Time) *dynamo.WriteTx {
	if unused != "" {
		tx.Put(s.putDisposal(c.BatchID, strconv.Itoa(c.Index), now, unused))
		for _, put := range s.putPersonLinks(c.Submission, unused) {
			tx.Put(put)
		}
	}
	return tx.
		Delete(s.deleteInFlight(c.live).If(claimHolds, c.holdsArgs(now)...)).
		Update(s.updateRow(c.Submission, now).Set("status", contract.Succeeded).Set("cu", candidateUserID).Set("evidence", c.Evidence))
}

// Held reports whether the claim is still valid. A worker with a failed transaction learns
// from it which condition failed.
func (s *Store) Held(ctx context.Context, c Claim) (_ bool, err error) {
	defer fault.Wrap(&err, "submission.Held(batchID, index)")

	item, err := s.getInFlight(ctx, wakeUp{c.live, c.ID.String()})
	if errors.Is(err, ErrGone) {
		return false, nil
	}
	return item.Nonce == c.nonce, err
}

// The public messages of the ends that this package itself decides.
const (
	timedOutMessage  = "Ingestion did not finish in time. Submit the candidate again."
	exhaustedMessage = "Ingestion failed repeatedly because of an internal error. Submit the candidate again later."
	enqueueMessage   = "The submission could not be queued. Submit the candidate again."
)

// endIfDue ends an item that is past its deadline, or past the lease of its last attempt.
// It reports whether it, or another process at the same time, did.
func (s *Store) endIfDue(ctx context.Context, item inFlightItem, now time.Time) (bool, error) {
	switch {
	case item.Deadline <= now.UnixMilli():
		err := s.endInFlight(ctx, item, contract.IngestTimedOut, timedOutMessage, time.UnixMilli(item.Deadline))
		return true, cloud.IgnoreCondition(err)
	case item.failedAttempts() >= MaxAttempts && item.Lease <= now.UnixMilli():
		err := s.endInFlight(ctx, item, contract.InternalError, exhaustedMessage, now)
		return true, cloud.IgnoreCondition(err)
	}
	return false, nil
}

// endInFlight ends, as of at, an item that no worker holds or that has a worker too late, with its files.
// Its conditions on the attempts and the lease fail if the item has changed since it was read.
func (s *Store) endInFlight(ctx context.Context, item inFlightItem, code contract.SubmissionError, message string, at time.Time) error {
	sub, err := item.decodeSubmission()
	if err != nil {
		return fmt.Errorf("decode the in-flight item: %w", err)
	}
	live := s.deleteInFlight(item.ID).If("sid = ? AND attempts = ? AND lease = ?", item.SubmissionID, item.Attempts, item.Lease)
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
	defer fault.Wrap(&err, "submission.DropSentFile(batchID, index)")

	if s.Discard == nil || sub.UploadID != uuid.Nil {
		return nil
	}
	return s.Discard(ctx, sub.ResumeKey)
}
