package submissions

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// acceptAndEnqueue commits a batch of itemCount items, of which subs are valid, sends
// their hints to the queue, and returns what render makes of their outcomes. While the queue fails, it
// refuses before anything is accepted.
//
// The response is stored last, when nothing can change it any more: a stored response is
// never withdrawn, so every replay is the first one's (contract, Idempotency). A retry
// that comes before has to wait, and the retry of an attempt that fails or dies continues
// from the rows as they are.
func acceptAndEnqueue[Response any](
	ctx context.Context, s *Service, intake *batchIntake, itemCount int, subs []submission.Submission,
	render func([]submission.Outcome) (Response, error),
) (response Response, err error) {
	if err := s.queue.Check(); err != nil {
		return response, err
	}
	outcomes, err := s.submissions.Accept(ctx, intake.batchHeader(itemCount), subs)
	if err != nil {
		return response, err
	}
	if refused, cause := s.sendHints(ctx, outcomes); len(refused) > 0 {
		ctx = context.WithoutCancel(ctx) // what the queue refused must not stand half ended
		err := s.submissions.EndRefused(ctx, subs, outcomes, refused)
		s.log.WarnContext(ctx, "submissions: the queue refused hints",
			"batch", intake.batch, "refused", len(refused), "cause", errors.Join(cause, err))
		if err != nil {
			return response, err
		}
	}
	response, err = render(outcomes)
	if err != nil {
		return response, err
	}
	return response, s.storeResponse(ctx, intake.attempt, response)
}

// sendHints sends the outcomes' hints. It returns the positions of those that the
// queue refused, and the last cause.
func (s *Service) sendHints(ctx context.Context, outcomes []submission.Outcome) (refused []int, cause error) {
	var queued []int
	for i, o := range outcomes {
		if o.Hint.Body != "" {
			queued = append(queued, i)
		}
	}
	errs := make([]error, len(outcomes))
	var group sync.WaitGroup
	for part := range slices.Chunk(queued, messaging.MaxBatch) {
		group.Go(func() {
			hints := make([]cloud.Message, len(part))
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
			refused = append(refused, i)
			cause = err
		}
	}
	return refused, cause
}

// storeResponse stores the response for replays. It has no client references: those that are sent
// with it are the request's, which a retry repeats, so that an erasure has none to find.
func (s *Service) storeResponse(ctx context.Context, attempt idempotency.Attempt, response any) error {
	encoded, err := gateway.Encode(response)
	if err != nil {
		return err
	}
	return s.claims.Complete(ctx, attempt, encoded)
}
