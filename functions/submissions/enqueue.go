package submissions

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// acceptAndEnqueue commits a batch of itemCount items, of which subs are valid, sends
// their hints to the queue, and returns what render makes of their outcomes. render
// has to be pure: it runs again if the queue refuses a hint.
//
// The response is stored while the hints are sent. It is true even so: until a refused
// item is ended it is queued, since the sweeper would send its hint. The response is
// withdrawn before that changes, and the new one is stored instead; a retry of an
// attempt that dies in between goes on from the rows as they are.
func acceptAndEnqueue[Response any](ctx context.Context, s *Service, intake *batchIntake, itemCount int, subs []submission.Submission, render func([]submission.Outcome) (Response, error)) (response Response, err error) {
	outcomes, err := s.submissions.Accept(ctx, intake.batchHeader(itemCount), subs)
	if err != nil {
		return response, err
	}
	if response, err = render(outcomes); err != nil {
		return response, err
	}
	var refused []int
	var cause error
	err = cloud.InParallel(ctx,
		func(ctx context.Context) error { return s.storeResponse(ctx, intake.attempt, response) },
		func(context.Context) error { refused, cause = s.sendHints(ctx, outcomes); return nil },
	)
	if err != nil || len(refused) == 0 {
		return response, err
	}
	ctx = context.WithoutCancel(ctx) // what the queue refused must not stand half ended
	if err := s.endRefused(ctx, intake, subs, outcomes, refused, cause); err != nil {
		return response, err
	}
	if response, err = render(outcomes); err != nil {
		return response, err
	}
	return response, s.storeResponse(ctx, intake.attempt, response)
}

// sendHints sends the outcomes' hints. It returns the positions of those that the
// queue refused, and the last cause.
func (s *Service) sendHints(ctx context.Context, outcomes []submission.Outcome) (refused []int, cause error) {
	var queued []int
	for i, o := range outcomes {
		if o.Hint != "" {
			queued = append(queued, i)
		}
	}
	errs := make([]error, len(outcomes))
	var group sync.WaitGroup
	for part := range slices.Chunk(queued, cloud.MaxBatch) {
		group.Go(func() {
			hints := make([]string, len(part))
			for n, i := range part {
				hints[n] = outcomes[i].Hint
			}
			for n, err := range s.queue.Send(ctx, hints) {
				errs[part[n]] = err
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			refused, cause = append(refused, i), err
		}
	}
	return refused, cause
}

// endRefused ends the submissions whose hints the queue refused, and says so in
// outcomes. If the stored response cannot be withdrawn it ends none, and the response
// stays true.
func (s *Service) endRefused(ctx context.Context, intake *batchIntake, subs []submission.Submission, outcomes []submission.Outcome, refused []int, cause error) (err error) {
	var left error
	if intake.attempt, left = s.claims.Withdraw(ctx, intake.attempt); left == nil {
		left, err = s.submissions.EndRefused(ctx, subs, outcomes, refused)
	}
	s.log.WarnContext(ctx, "submissions: the queue refused hints", "batch", intake.batch, "refused", len(refused), "cause", errors.Join(cause, left, err))
	return err
}

// storeResponse stores the response for replays, as the very bytes that are sent.
func (s *Service) storeResponse(ctx context.Context, attempt idempotency.Attempt, response any) error {
	encoded, err := gateway.Encode(response)
	if err != nil {
		return err
	}
	return s.claims.Complete(ctx, attempt, encoded)
}
