package submission

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// ReadBatch returns a tenant's batch as of now: an item past its deadline reads as timed
// out whether or not the sweeper has run. Another tenant's batch is missing, like one
// that never existed. parkedUntil is when the first of its live items is due again if all
// of them are parked, and zero otherwise. One consistent query.
func (s *Store) ReadBatch(
	ctx context.Context, t tenant.ID, id uuid.UUID, now time.Time,
) (batch contract.Batch, parkedUntil time.Time, err error) {
	defer fault.Wrap(&err, "submission.ReadBatch(tenant, id)")

	head, rows, err := s.readRows(ctx, id)
	switch {
	case err != nil:
		return batch, parkedUntil, err
	case head.Kind != headerKind || head.Tenant != t || head.TTL <= now.Unix():
		return batch, parkedUntil, fault.Missing()
	}
	batch = contract.Batch{
		BatchID: id.String(), CreatedAt: contract.At(time.UnixMilli(head.CreatedAt)), ItemCount: head.ItemCount,
		Items: make([]contract.BatchItem, 0, len(rows)),
	}
	for _, index := range slices.Sorted(maps.Keys(rows)) {
		batch.Items = append(batch.Items, rows[index].toBatchItem(NewID(id, index), index, now))
	}
	return batch, firstParked(rows), nil
}

// firstParked returns the earliest time at which a live row is due again; zero if one of
// them is not parked.
func firstParked(rows map[int]row) (first time.Time) {
	for _, r := range rows {
		switch due := time.UnixMilli(r.Parked); {
		case r.Status.Terminal():
		case r.Parked == 0:
			return time.Time{}
		case first.IsZero() || due.Before(first):
			first = due
		}
	}
	return first
}

// readRows reads a batch: its header, which is zero when there is none, and its items
// by index, as their rows say and else the headers.
func (s *Store) readRows(ctx context.Context, id uuid.UUID) (head header, rows map[int]row, err error) {
	var items []dynamo.Item
	if err := s.table.Get(topology.PK, batchKey(id)).Consistent(true).All(ctx, &items); err != nil {
		return head, nil, err
	}
	return expandItems(items)
}

// expandItems returns the header and the rows among the items of a batch, which are in the order of
// their keys: headers come first.
func expandItems(items []dynamo.Item) (head header, rows map[int]row, err error) {
	rows = map[int]row{}
	for n, item := range items {
		var r row
		if err := dynamo.UnmarshalItem(item, &r); err != nil {
			return head, nil, err
		}
		if digits, isRow := strings.CutPrefix(r.Kind, rowPrefix); isRow {
			index, _ := strconv.Atoi(digits)
			r.Reference = rows[index].Reference
			r.Deadline = cmp.Or(r.Deadline, rows[index].Deadline)
			rows[index] = r
			continue
		}
		var part header
		if err := dynamo.UnmarshalItem(item, &part); err != nil {
			return head, nil, err
		}
		if maps.Copy(rows, part.expandRows()); n == 0 {
			head = part
		}
	}
	return head, rows, nil
}

// toBatchItem returns the row as a reader sees it now.
func (r row) toBatchItem(id uuid.UUID, index int, now time.Time) contract.BatchItem {
	if !r.Status.Terminal() && r.Deadline <= now.UnixMilli() {
		r.Status, r.ErrorCode, r.ErrorMessage, r.UpdatedAt = contract.Failed, contract.IngestTimedOut, timedOutMessage, r.Deadline
	}
	return contract.BatchItem{
		SubmissionID: id.String(), Index: index, ClientReferenceID: r.Reference, Status: r.Status,
		UpdatedAt:       contract.At(time.UnixMilli(r.UpdatedAt)),
		CandidateUserID: r.CandidateUserID, ErrorCode: r.ErrorCode, ErrorMessage: r.ErrorMessage,
	}
}
