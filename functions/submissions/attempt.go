package submissions

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/idempotency"
)

// begin claims the Idempotency-Key and reads the agency side by side. An
// attempt with an Answer has nothing left to do.
func (s *Service) begin(ctx context.Context, call *gateway.Call, key string) (idempotency.Attempt, account.Agency, error) {
	var attempt idempotency.Attempt
	var agency account.Agency
	var agencyErr error
	request := idempotency.Request{Principal: call.Caller.Principal, Key: key, Fingerprint: call.Fingerprint}
	group, groupCtx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		attempt, err = s.claims.Begin(groupCtx, request, call.NewID().String(), call.RequestID, call.Now)
		return err
	})
	group.Go(func() error {
		// Its error must not cancel a claim that is under way: it would be left
		// standing without anyone to end it.
		agency, agencyErr = s.accounts.Agency(groupCtx, call.Caller.Principal)
		return nil
	})
	if err := group.Wait(); err != nil {
		return attempt, agency, s.give(ctx, attempt, err)
	}
	if attempt.Answer == nil && agencyErr != nil {
		return attempt, agency, s.give(ctx, attempt, agencyErr)
	}
	return attempt, agency, nil
}

// give ends a failed attempt and answers its error: a refusal frees the key for
// a corrected request, and a batch that ended for another one; any other fault of
// ours leaves it to the retry, which goes on with the same batch.
func (s *Service) give(ctx context.Context, attempt idempotency.Attempt, err error) error {
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

func batchID(attempt idempotency.Attempt) (uuid.UUID, error) { return uuid.Parse(attempt.Ref) }
