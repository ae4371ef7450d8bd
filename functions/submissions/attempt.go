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
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// batchIntake is one attempt at a batch, with all that its items are judged by.
type batchIntake struct {
	call    *gateway.Call
	attempt idempotency.Attempt
	batch   uuid.UUID
	agency  account.Agency
	// primaryOwner is read if an item names no member; named holds the members that items name.
	primaryOwner account.Member
	named        account.Members
	// uploads are those of the tenant that the items name.
	uploads map[uuid.UUID]submission.Upload
}

// beginAttempt claims the Idempotency-Key, once the request is admitted, and meanwhile reads the
// agency, the members that recruiterEmails name (a nil one names the primary owner) and the uploads.
// If the attempt has an Answer, it must be replayed and the rest is zero.
func (s *Service) beginAttempt(
	ctx context.Context, call *gateway.Call, key string, recruiterEmails []*string, uploads []uuid.UUID,
) (*batchIntake, error) {
	intake := &batchIntake{call: call}
	// None of the three is cancelled by another's error: a claim that is under way
	// would be left standing, with no attempt to end it.
	var claimErr, agencyErr, uploadsErr error
	var group sync.WaitGroup
	group.Go(func() {
		intake.attempt, claimErr = s.claimKey(ctx, call, key)
	})
	group.Go(func() { agencyErr = s.readOwners(ctx, intake, recruiterEmails) })
	group.Go(func() {
		intake.uploads, uploadsErr = s.submissions.FindUploads(ctx, call.Caller.Tenant(), uploads)
	})
	group.Wait()
	call.BatchID = intake.attempt.Ref
	if claimErr != nil || intake.attempt.Answer != nil {
		return intake, s.releaseOnError(ctx, intake.attempt, claimErr)
	}
	var batchErr error
	intake.batch, batchErr = uuid.Parse(intake.attempt.Ref)
	return intake, s.releaseOnError(ctx, intake.attempt, errors.Join(agencyErr, uploadsErr, batchErr))
}

// claimKey waits until the request is admitted, and claims its Idempotency-Key.
func (s *Service) claimKey(ctx context.Context, call *gateway.Call, key string) (idempotency.Attempt, error) {
	admission, err := call.AwaitAdmission()
	if err != nil {
		return idempotency.Attempt{}, err
	}
	request := idempotency.NewRequest(admission, key, call.Fingerprint)
	return s.claims.Begin(ctx, request, call.NewID().String(), call.RequestID, call.Now)
}

// readOwners reads the agency and the members that the items attribute candidates to.
func (s *Service) readOwners(ctx context.Context, intake *batchIntake, recruiterEmails []*string) (err error) {
	var ids, emails []string
	id := intake.call.Caller.Principal
	owner := intake.call.Caller.PrimaryOwner
	for _, sent := range recruiterEmails {
		if sent != nil {
			emails = append(emails, canonicalEmail(*sent))
		} else {
			ids = []string{owner}
		}
	}
	intake.agency, intake.named, err = s.accounts.AgencyWithMembers(ctx, id, ids, emails)
	owners := intake.named
	if err == nil && ids != nil && owner != intake.agency.PrimaryOwner {
		owners, err = s.accounts.Members(ctx, id, []string{intake.agency.PrimaryOwner}, true)
	}
	intake.primaryOwner = owners.ByID(intake.agency.PrimaryOwner)
	return err
}

// canonicalEmail returns the canonical form of an address; "", which no member has, if it is
// not valid.
func canonicalEmail(sent string) string {
	canonical, _ := identity.Email(sent)
	return canonical
}

// batchHeader returns the header of a batch of itemCount items, rejected ones included.
func (b *batchIntake) batchHeader(itemCount int) submission.Batch {
	return submission.Batch{ID: b.batch, Tenant: b.attempt.Tenant, CreatedAt: b.attempt.Started, ItemCount: itemCount}
}

// acceptedAt returns the time at which the items are accepted. It is this attempt's,
// not the first one's: a retry hours after a crash must not accept what is overdue.
func (b *batchIntake) acceptedAt() time.Time { return b.call.Now.UTC().Truncate(time.Millisecond) }

// errNotQueued ends a single submit if its one item never reached the queue.
var errNotQueued = errors.New("the submission could not be queued")

// releaseOnError returns err and, unless it is nil, ends the attempt. A refusal frees
// the key for a corrected request, and errNotQueued for a fresh batch; after any other
// failure the retry continues with the same batch.
func (s *Service) releaseOnError(ctx context.Context, attempt idempotency.Attempt, err error) error {
	if err == nil {
		return nil
	}
	end := s.claims.Release
	if fault.IsFailure(err) && !errors.Is(err, errNotQueued) {
		end = s.claims.Abandon
	}
	// The client may be gone, and the claim must end all the same. Should it fail,
	// the lease ends by itself.
	_ = end(context.WithoutCancel(ctx), attempt)
	return err
}
