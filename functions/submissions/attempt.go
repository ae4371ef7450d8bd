package submissions

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// batchIntake is one attempt at a batch, with all that its items are judged by.
type batchIntake struct {
	call    *gateway.Call
	attempt idempotency.Attempt
	batch   uuid.UUID
	agency  account.Agency
	// uploads are those of the agency that the items name.
	uploads map[uuid.UUID]submission.Upload
}

// beginAttempt claims the Idempotency-Key, and reads the agency and the uploads beside
// it. An attempt with an Answer has nothing left to do.
func (s *Service) beginAttempt(ctx context.Context, call *gateway.Call, key string, uploads []uuid.UUID) (*batchIntake, error) {
	in := &batchIntake{call: call}
	request := idempotency.Request{Principal: call.Caller.Principal, Key: key, Fingerprint: call.Fingerprint}
	// None of the three is cancelled by another's error: a claim that is under way
	// would be left standing without anyone to end it.
	var claimErr, agencyErr, uploadsErr error
	var group sync.WaitGroup
	group.Go(func() {
		in.attempt, claimErr = s.claims.Begin(ctx, request, call.NewID().String(), call.RequestID, call.Now)
	})
	group.Go(func() { in.agency, agencyErr = s.accounts.Agency(ctx, call.Caller.Principal) })
	group.Go(func() {
		in.uploads, uploadsErr = s.submissions.FindUploads(ctx, call.Caller.Principal, uploads)
	})
	group.Wait()
	if claimErr != nil || in.attempt.Answer != nil {
		return in, s.failAttempt(ctx, in.attempt, claimErr)
	}
	var batchErr error
	in.batch, batchErr = uuid.Parse(in.attempt.Ref)
	return in, s.failAttempt(ctx, in.attempt, errors.Join(agencyErr, uploadsErr, batchErr))
}

// batchHeader is the batch of so many items sent.
func (in *batchIntake) batchHeader(items int) submission.Batch {
	return submission.Batch{ID: in.batch, AgencyID: in.agency.ID, CreatedAt: in.attempt.Started, ItemCount: items}
}

// acceptedAt is when the items are accepted. It is this attempt's time, not the first
// one's: a retry hours after a crash must not accept what is overdue already.
func (in *batchIntake) acceptedAt() time.Time { return in.call.Now.UTC().Truncate(time.Millisecond) }

// errNotQueued ends a single submit whose one item never reached the queue.
var errNotQueued = errors.New("the submission could not be queued")

// failAttempt ends a failed attempt and answers its error. A refusal frees the key for
// a corrected request, and a batch that came to nothing for a fresh one; any
// other fault of ours leaves it to the retry, which goes on with the same batch.
func (s *Service) failAttempt(ctx context.Context, attempt idempotency.Attempt, err error) error {
	if err == nil {
		return nil
	}
	end := s.claims.Release
	if fault.As(err).Kind == fault.Internal && !errors.Is(err, errNotQueued) {
		end = s.claims.Abandon
	}
	// The client may be gone, and the claim must end all the same. Should it fail,
	// the lease ends by itself.
	_ = end(context.WithoutCancel(ctx), attempt)
	return err
}
