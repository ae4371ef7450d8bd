package submissions

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// acceptAndEnqueue commits a batch of so many items sent, of which subs are fit, announces
// it to the queue and answers what answer makes of the outcomes.
//
// The answer is stored beside the sending: until a refused item is ended it is
// queued indeed, the sweeper would send it, so the answer is true. Before it
// turns untrue it is withdrawn, and what became of the items is stored instead;
// an attempt that dies in between is gone on with, and finds the rows as they are.
func acceptAndEnqueue[Out any](ctx context.Context, s *Service, in *batchIntake, items int, subs []submission.Submission, answer func([]submission.Outcome) (Out, error)) (out Out, err error) {
	outcomes, err := s.submissions.Accept(ctx, in.batchHeader(items), subs)
	if err != nil {
		return out, err
	}
	if out, err = answer(outcomes); err != nil {
		return out, err
	}
	var refused []int
	var refusal error
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.storeAnswer(groupCtx, in.attempt, out) })
	group.Go(func() error { refused, refusal = s.sendHints(ctx, outcomes); return nil })
	if err = group.Wait(); err != nil || len(refused) == 0 {
		return out, err
	}
	ctx = context.WithoutCancel(ctx) // what the queue refused must not stand half ended
	left, err := s.endRefused(ctx, in, subs, outcomes, refused)
	s.log.WarnContext(ctx, "submissions: the queue refused hints", "batch", in.batch, "refused", len(refused), "cause", errors.Join(refusal, left, err))
	if err != nil {
		return out, err
	}
	if out, err = answer(outcomes); err != nil {
		return out, err
	}
	return out, s.storeAnswer(ctx, in.attempt, out)
}

// sendHints sends the outcomes' hints, and answers which outcomes' the queue refused
// and why.
func (s *Service) sendHints(ctx context.Context, outcomes []submission.Outcome) (refused []int, refusal error) {
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
			refused, refusal = append(refused, i), err
		}
	}
	return refused, refusal
}

// endRefused ends what the queue did not take, and tells what is left of it. Where the
// answer cannot be withdrawn nothing is ended, and it stays true.
func (s *Service) endRefused(ctx context.Context, in *batchIntake, subs []submission.Submission, outcomes []submission.Outcome, refused []int) (left, err error) {
	if in.attempt, left = s.claims.Withdraw(ctx, in.attempt); left != nil {
		return left, nil
	}
	return s.submissions.EndRefused(ctx, subs, outcomes, refused)
}

// storeAnswer keeps the answer for replays, as the very bytes that are sent.
func (s *Service) storeAnswer(ctx context.Context, attempt idempotency.Attempt, out any) error {
	answer, err := gateway.Encode(out)
	if err != nil {
		return err
	}
	return s.claims.Complete(ctx, attempt, answer)
}
