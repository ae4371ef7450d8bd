package submissions

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// GetBatch serves GET /talent-network/batches/{batchId}.
func (s *Service) GetBatch(ctx context.Context, call *gateway.Call, in contract.BatchRequest) (contract.Batch, error) {
	id, err := uuid.Parse(in.BatchID)
	if err != nil {
		return contract.Batch{}, err
	}
	batch, err := s.submissions.ReadBatch(ctx, call.Caller.Principal, id, call.Now)
	if err == nil && hasLiveItems(batch) {
		call.SetRetryAfter(pollingHint(call.Now.Sub(batch.CreatedAt.Time)))
	}
	return batch, err
}

// hasLiveItems reports whether an item is still queued or processing.
func hasLiveItems(b contract.Batch) bool {
	return slices.ContainsFunc(b.Items, func(item contract.BatchItem) bool { return !item.Status.Terminal() })
}

// pollingHint returns the wait before the next poll. It grows with the batch's age: most end within seconds, and what has
// taken minutes will not end in the next second.
func pollingHint(age time.Duration) time.Duration {
	switch {
	case age < 30*time.Second:
		return 2 * time.Second
	case age < 5*time.Minute:
		return 5 * time.Second
	default:
		return 30 * time.Second
	}
}
