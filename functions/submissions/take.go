package submissions

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/submission"
)

// take commits a batch of so many items sent, of which subs are fit, announces
// it to the queue and answers what answer makes of the outcomes.
//
// The answer is stored beside the sending: until a refused item is ended it is
// queued indeed, the sweeper would send it, so the answer is true. Before it
// turns untrue it is withdrawn, and what became of the items is stored instead;
// an attempt that dies in between is gone on with, and finds the rows as they are.
func take[Out any](ctx context.Context, s *Service, in intake, items int, subs []submission.Submission, answer func([]submission.Outcome) (Out, error)) (out Out, err error) {
	outcomes, err := s.submissions.Accept(ctx, in.header(items), subs)
	if err != nil {
		return out, err
	}
	if out, err = answer(outcomes); err != nil {
		return out, err
	}
	var refused []int
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() error { return s.store(groupCtx, in.attempt, out) })
	group.Go(func() error { refused = s.send(ctx, outcomes); return nil })
	if err = group.Wait(); err != nil || len(refused) == 0 {
		return out, err
	}
	ctx = context.WithoutCancel(ctx) // what the queue refused must not stand half ended
	if err = s.refuse(ctx, in.attempt, subs, outcomes, refused); err != nil {
		s.log.WarnContext(ctx, "submissions: refused items stay queued", "batch", in.batch, "error", err)
	}
	if out, err = answer(outcomes); err != nil {
		return out, err
	}
	return out, s.store(ctx, in.attempt, out)
}

// send sends the outcomes' hints, and answers which outcomes' the queue refused.
func (s *Service) send(ctx context.Context, outcomes []submission.Outcome) []int {
	var queued []int
	for i, o := range outcomes {
		if o.Hint != "" {
			queued = append(queued, i)
		}
	}
	refused := make([]bool, len(outcomes))
	var group errgroup.Group
	for part := range slices.Chunk(queued, cloud.MaxBatch) {
		group.Go(func() error {
			hints := make([]string, len(part))
			for n, i := range part {
				hints[n] = outcomes[i].Hint
			}
			for n, err := range s.queue.Send(ctx, hints) {
				refused[part[n]] = err != nil
			}
			return nil
		})
	}
	_ = group.Wait() // each message has its own error
	return slices.DeleteFunc(queued, func(i int) bool { return !refused[i] })
}

// refuse ends what the queue did not take. An answer that cannot be withdrawn
// stays true: then nothing is ended.
func (s *Service) refuse(ctx context.Context, attempt idempotency.Attempt, subs []submission.Submission, outcomes []submission.Outcome, refused []int) error {
	if err := s.claims.Withdraw(ctx, attempt); err != nil {
		return err
	}
	return s.submissions.Refuse(ctx, subs, outcomes, refused)
}

// store keeps the answer for replays, as the very bytes that are sent.
func (s *Service) store(ctx context.Context, attempt idempotency.Attempt, out any) error {
	answer, err := gateway.Encode(out)
	if err != nil {
		return err
	}
	return s.claims.Complete(ctx, attempt, answer)
}
