package submission

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/fault"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Read answers an agency's batch as of now: an item past its deadline reads as
// timed out whether or not the sweeper has run. Another agency's batch is
// missing like one that never was. One consistent query.
func (s *Store) Read(ctx context.Context, agencyID string, id uuid.UUID, now time.Time) (contract.Batch, error) {
	var items []dynamo.Item
	if err := s.table.Get(topology.PK, batchKey(id)).Consistent(true).All(ctx, &items); err != nil {
		return contract.Batch{}, err
	}
	if len(items) == 0 {
		return contract.Batch{}, fault.Missing()
	}
	var head header
	if err := dynamo.UnmarshalItem(items[0], &head); err != nil {
		return contract.Batch{}, err
	}
	if head.Kind != headerKind || head.AgencyID != agencyID || head.TTL <= now.Unix() {
		return contract.Batch{}, fault.Missing()
	}
	batch := contract.Batch{
		BatchID: id.String(), CreatedAt: contract.At(time.UnixMilli(head.CreatedAt)), ItemCount: head.ItemCount,
		Items: make([]contract.BatchItem, 0, len(items)-1),
	}
	for _, item := range items[1:] {
		var r row
		if err := dynamo.UnmarshalItem(item, &r); err != nil {
			return contract.Batch{}, err
		}
		batch.Items = append(batch.Items, r.view(now))
	}
	return batch, nil
}

// view is the row as a reader sees it now.
func (r row) view(now time.Time) contract.BatchItem {
	if !r.Status.Terminal() && r.Deadline <= now.UnixMilli() {
		r.Status, r.ErrorCode, r.ErrorMessage, r.UpdatedAt = contract.Failed, contract.IngestTimedOut, timedOutMessage, r.Deadline
	}
	index, _ := strconv.Atoi(strings.TrimPrefix(r.Kind, "R#"))
	return contract.BatchItem{
		SubmissionID: r.SubmissionID, Index: index, Status: r.Status,
		UpdatedAt:       contract.At(time.UnixMilli(r.UpdatedAt)),
		CandidateUserID: r.CandidateUserID, ErrorCode: r.ErrorCode, ErrorMessage: r.ErrorMessage,
	}
}
