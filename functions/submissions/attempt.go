package submissions

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// batchIntake is one attempt at a batch, with all that its items are judged by.
type batchIntake struct {
	call    *gateway.Call
	writers *writers // nil until the request is admitted
	attempt idempotency.Attempt
	batch   uuid.UUID
	agency  account.Agency
	// primaryOwner is read if an item names no member; named holds the members that items name.
	primaryOwner account.Member
	named        account.Members
	// uploads are those of the tenant that the items name.
	uploads map[uuid.UUID]submission.Upload
}

// runAttempt returns what submit makes of a batch, or the answer that an earlier attempt has stored. It claims the
// Idempotency-Key, once the request is admitted, and meanwhile reads the agency, the members that recruiterEmails name
// (a nil one names the primary owner) and the uploads. An error ends the attempt: a refusal frees the key for a corrected
// request, and errNotQueued for a fresh batch; after any other failure the retry continues with the same batch.
func runAttempt[Response any](
	ctx context.Context, s *Service, call *gateway.Call, key string, recruiterEmails []*string, uploads []uuid.UUID,
	submit func(*batchIntake) (Response, error),
) (response Response, err error) {
	intake := &batchIntake{call: call}
	// None of the three is cancelled by another's error: a claim that is under way
	// would be left standing, with no attempt to end it.
	var claimErr, agencyErr, uploadsErr error
	var group sync.WaitGroup
	group.Go(func() {
		admission, err := call.AwaitAdmission()
		intake.writers, claimErr = s.writers.Open(admission, err)
		if claimErr != nil {
			return
		}
		request := idempotency.NewRequest(admission, key, call.Fingerprint)
		intake.attempt, claimErr = intake.writers.claims.Begin(ctx, request, call.NewID().String(), call.RequestID, call.Now)
	})
	group.Go(func() { agencyErr = s.readOwners(ctx, intake, recruiterEmails) })
	group.Go(func() { intake.uploads, uploadsErr = s.submissions.FindUploads(ctx, call.Caller.Tenant(), uploads) })
	group.Wait()
	if intake.writers == nil {
		return response, claimErr
	}
	call.BatchID = intake.attempt.Ref
	if claimErr == nil && intake.attempt.Answer != nil {
		err = call.Replay(intake.attempt.Answer, &response)
		return response, err
	}
	var batchErr error
	intake.batch, batchErr = uuid.Parse(intake.attempt.Ref)
	err = cmp.Or(claimErr, errors.Join(agencyErr, uploadsErr, batchErr))
	if err == nil {
		response, err = submit(intake)
	}
	if err == nil {
		return response, nil
	}
	end := intake.writers.claims.Release
	if fault.IsFailure(err) && !errors.Is(err, errNotQueued) {
		end = intake.writers.claims.Abandon
	}
	// The client may be gone, and the claim must end all the same. Should it fail,
	// the lease ends by itself.
	_ = end(context.WithoutCancel(ctx), intake.attempt)
	return response, err
}

// readOwners reads the agency and the members that the items attribute candidates to.
func (s *Service) readOwners(ctx context.Context, intake *batchIntake, recruiterEmails []*string) (err error) {
	var ids, emails []string
	id := intake.call.Caller.Principal
	owner := intake.call.Caller.PrimaryOwner
	for _, sent := range recruiterEmails {
		if sent != nil {
			email, _ := identity.Email(*sent) // "" if it is not valid
			emails = append(emails, email)
		} else {
			ids = []string{owner}
		}
	}
	intake.agency, intake.named, err = s.accounts.AgencyWithMembers(ctx, id, ids, emails)
	owners := intake.named
	if err == nil && ids != nil && owner != intake.agency.PrimaryOwner {
		owners, err = s.accounts.Members(ctx, id, []string{intake.agency.PrimaryOwner})
	}
	intake.primaryOwner = owners.ByID(intake.agency.PrimaryOwner)
	return err
}

// acceptedAt returns the time at which the items are accepted. It is this attempt's, not the first one's: a retry
// hours after a crash must not accept what is overdue.
func (b *batchIntake) acceptedAt() time.Time { return b.call.Now.UTC().Truncate(time.Millisecond) }

// errNotQueued ends a single submit if its one item never reached the queue.
var errNotQueued = errors.New("the submission could not be queued")

// acceptAndEnqueue commits a batch of itemCount items, rejected ones included, of which subs are valid, sends their
// wake-up messages to the queue, and returns what render makes of their outcomes. While the queue fails, it refuses before
// anything is accepted.
//
// The response is stored last, when nothing can change it any more: a stored response is never withdrawn, so every
// replay is the first one's (contract, Idempotency). A retry that comes before has to wait, and the retry of an
// attempt that fails or dies continues from the rows as they are.
func acceptAndEnqueue[Response any](
	ctx context.Context, s *Service, intake *batchIntake, itemCount int, subs []submission.Submission,
	render func([]submission.Outcome) (Response, error),
) (response Response, err error) {
	if err := intake.writers.queue.Check(); err != nil {
		return response, err
	}
	batch := submission.Batch{ID: intake.batch, Tenant: intake.attempt.Tenant, CreatedAt: intake.attempt.Started, ItemCount: itemCount}
	outcomes, err := intake.writers.submissions.Accept(ctx, batch, subs)
	if err != nil {
		return response, err
	}
	var queued []int // the positions of the wake-up messages' outcomes
	var wakeUps []cloud.Message
	for i, o := range outcomes {
		if o.WakeUp.Body != "" {
			queued = append(queued, i)
			wakeUps = append(wakeUps, o.WakeUp)
		}
	}
	var refused []int
	var cause error // the last one
	for n, err := range intake.writers.queue.Send(ctx, wakeUps) {
		if err != nil {
			refused = append(refused, queued[n])
			cause = err
		}
	}
	if len(refused) > 0 {
		ctx = context.WithoutCancel(ctx) // what the queue refused must not stand half ended
		err := intake.writers.submissions.EndRefused(ctx, subs, outcomes, refused)
		s.log.WarnContext(ctx, "submissions: the queue refused wake-up messages",
			"batch", intake.batch, "refused", len(refused), "cause", errors.Join(cause, err))
		if err != nil {
			return response, err
		}
	}
	response, err = render(outcomes)
	if err != nil {
		return response, err
	}
	// The response has no client references: those that are sent with it are the request's, which a retry repeats, so
	// that an erasure has none to find.
	encoded, err := gateway.Encode(response)
	if err != nil {
		return response, err
	}
	return response, intake.writers.claims.Complete(ctx, intake.attempt, encoded)
}
