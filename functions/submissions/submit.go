package submissions

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/submission"
)

// Submit serves POST /talent-network/candidates/submit: a batch of one.
func (s *Service) Submit(ctx context.Context, call *gateway.Call, in contract.SubmitRequest) (contract.SubmitResponse, error) {
	file, err := readFile(in.Resume)
	if err != nil {
		return contract.SubmitResponse{}, err
	}
	attempt, agency, err := s.begin(ctx, call, in.IdempotencyKey)
	if err != nil || attempt.Answer != nil {
		call.Replay(attempt.Answer)
		return contract.SubmitResponse{}, err
	}
	sub, err := s.draft(call, attempt, agency, in)
	if err != nil {
		return contract.SubmitResponse{}, s.give(ctx, attempt, err)
	}
	out, err := s.accept(ctx, attempt, sub, file)
	return out, s.give(ctx, attempt, err)
}

// draft makes the submission of a valid request: whose candidate it is, and
// whether the agency may submit at all.
func (s *Service) draft(call *gateway.Call, attempt idempotency.Attempt, agency account.Agency, in contract.SubmitRequest) (submission.Submission, error) {
	owner, err := attribute(agency, in.RecruiterEmail)
	if err != nil {
		return submission.Submission{}, err
	}
	if !agency.TalentNetworkManagement {
		return submission.Submission{}, fault.New(fault.Forbidden, contract.TalentNetworkDisabled,
			"Talent Network management is not enabled for this agency. Ask your marketplace contact to enable it.")
	}
	batch, err := batchID(attempt)
	if err != nil {
		return submission.Submission{}, err
	}
	email, _ := identity.Email(in.Email) // both were validated with the request
	linkedIn, _ := identity.LinkedIn(in.LinkedInURL)
	sub := submission.Submission{
		ID: submission.NewID(batch, 0), BatchID: batch, AgencyID: agency.ID, OwnerID: owner.ID,
		Environment: call.Caller.Environment, Name: in.Name, Email: email, LinkedInURL: linkedIn,
		Preferences: in.Preferences, ScreeningCallLink: value(in.ScreeningCallLink), FileName: value(in.Resume.FileName),
		SubmittedAt: attempt.Started, Deadline: s.submissions.Deadline(attempt.Started),
	}
	sub.ResumeKey = sub.UploadKey()
	return sub, nil
}

// accept stores the file, commits the batch and announces it.
func (s *Service) accept(ctx context.Context, attempt idempotency.Attempt, sub submission.Submission, file file) (contract.SubmitResponse, error) {
	if err := s.resumes.Put(ctx, sub.ResumeKey, file.contentType, file.content); err != nil {
		return contract.SubmitResponse{}, err
	}
	batch := submission.Batch{ID: sub.BatchID, AgencyID: sub.AgencyID, CreatedAt: sub.SubmittedAt, ItemCount: 1}
	outcomes, err := s.submissions.Accept(ctx, batch, []submission.Submission{sub})
	if err != nil {
		return contract.SubmitResponse{}, err
	}
	out := contract.SubmitResponse{
		Accepted: true, Deduplicated: outcomes[0].Status == contract.Deduplicated,
		BatchID: sub.BatchID.String(), SubmissionID: sub.ID.String(),
	}
	return out, s.announce(ctx, attempt, sub, outcomes[0], out)
}

// errNotQueued ends an attempt whose batch says enqueue_failed: a retry starts afresh.
var errNotQueued = errors.New("the submission could not be queued")

// announce sends the queue's hint and stores the answer side by side. A hint that
// is refused ends the item.
func (s *Service) announce(ctx context.Context, attempt idempotency.Attempt, sub submission.Submission, outcome submission.Outcome, out contract.SubmitResponse) error {
	if outcome.EnqueueFailed() {
		return errNotQueued
	}
	var refusal error
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.store(groupCtx, attempt, out) })
	group.Go(func() error {
		refusal = s.send(ctx, sub, outcome)
		return nil
	})
	err := group.Wait()
	return cmp.Or(refusal, err)
}

// send hands the hint to the queue. Where it is refused and the item cannot be
// ended either, the row stays queued and the sweeper sends it.
func (s *Service) send(ctx context.Context, sub submission.Submission, outcome submission.Outcome) error {
	if outcome.Hint == "" {
		return nil
	}
	refusal := s.queue.Send(ctx, []string{outcome.Hint})[0]
	if refusal == nil {
		return nil
	}
	if ended, _ := s.submissions.FailEnqueue(context.WithoutCancel(ctx), sub, sub.SubmittedAt); !ended {
		return nil
	}
	return fmt.Errorf("%w: %w", errNotQueued, refusal)
}

func (s *Service) store(ctx context.Context, attempt idempotency.Attempt, out any) error {
	answer, err := gateway.Encode(out)
	if err != nil {
		return err
	}
	return s.claims.Complete(ctx, attempt, answer)
}

// attribute finds the member whose candidate it is: the one named, who must be
// active, or the agency's primary owner.
func attribute(agency account.Agency, recruiterEmail *string) (account.Member, error) {
	if recruiterEmail == nil {
		return agency.Members[agency.PrimaryOwner], nil
	}
	email, _ := identity.Email(*recruiterEmail)
	member, ok := agency.MemberByEmail(email)
	if !ok || !member.Active() {
		return account.Member{}, fault.Field(contract.ValidationFailed, "recruiterEmail",
			"recruiterEmail: must be the e-mail address of a currently approved, active member of your agency")
	}
	return member, nil
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
