package submissions

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
)

// GetBatch serves GET /talent-network/batches/{batchId}.
func (s *Service) GetBatch(ctx context.Context, call *gateway.Call, in contract.BatchRequest) (contract.Batch, error) {
	id, err := uuid.Parse(in.BatchID)
	if err != nil {
		return contract.Batch{}, err
	}
	batch, parkedUntil, err := s.submissions.ReadBatch(ctx, call.Caller.Tenant(), id, call.Now)
	if err != nil {
		return batch, err
	}
	call.BatchID = in.BatchID
	if !batch.Terminal() {
		call.SetRetryAfter(pollingHint(call.Now.Sub(batch.CreatedAt.Time), parkedUntil.Sub(call.Now)))
	}
	return batch, nil
}

// ListBatches serves GET /talent-network/batches.
func (s *Service) ListBatches(ctx context.Context, call *gateway.Call, in contract.ListBatchesRequest) (out contract.BatchList, err error) {
	after, err := cursor.Read(call, in.Cursor, submission.ValidBatchPosition)
	if err != nil {
		return out, err
	}
	batches, next, err := s.submissions.ListBatches(ctx, call.Caller.Tenant(), after, int(in.Limit), call.Now)
	if next != "" {
		out.NextCursor = new(cursor.New(next))
	}
	out.Batches = batches
	return out, err
}

// pollingHint returns the wait before the next poll. It grows with the batch's age: most batches
// end within seconds, and one that has taken minutes will not end in the next second. While all
// live items are parked, the wait lasts until the first of them continues, but at most
// [maxPollingHint].
func pollingHint(age, parked time.Duration) time.Duration {
	parked = min(parked, maxPollingHint)
	switch {
	case age < 30*time.Second:
		return max(2*time.Second, parked)
	case age < 5*time.Minute:
		return max(5*time.Second, parked)
	default:
		return max(30*time.Second, parked)
	}
}

// maxPollingHint bounds the hint, so that a client notices a provider that recovers early.
const maxPollingHint = 2 * time.Minute
