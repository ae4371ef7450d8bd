package submission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// ReadBatch returns a tenant's batch as of now: an item past its deadline reads as timed
// out whether or not the sweeper has run. Another tenant's batch is missing, like one
// that never existed. parkedUntil is when the first of its in-flight items is due again if all
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
	for _, r := range rows {
		switch due := time.UnixMilli(r.Parked); {
		case r.Status.Terminal():
		case r.Parked == 0:
			return batch, time.Time{}, nil
		case parkedUntil.IsZero() || due.Before(parkedUntil):
			parkedUntil = due
		}
	}
	return batch, parkedUntil, nil
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
			return head, nil, fmt.Errorf("decode a row of the batch: %w", err)
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
			return head, nil, fmt.Errorf("decode a part of the batch: %w", err)
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
		r.Status = contract.Failed
		r.ErrorCode = contract.IngestTimedOut
		r.ErrorMessage = timedOutMessage
		r.UpdatedAt = r.Deadline
	}
	return contract.BatchItem{
		SubmissionID: id.String(), Index: index, ClientReferenceID: r.Reference, Status: r.Status,
		UpdatedAt:       contract.At(time.UnixMilli(r.UpdatedAt)),
		CandidateUserID: r.CandidateUserID, ErrorCode: r.ErrorCode, ErrorMessage: r.ErrorMessage,
	}
}

const (
	// maxCounted bounds the items that are read for a page of batches.
	maxCounted = 2000
	// maxParallelReads bounds the batches that are read at a time.
	maxParallelReads = 16
)

// ValidBatchPosition reports whether a text is a position in a list of batches.
func ValidBatchPosition(text string) bool {
	id, err := uuid.Parse(text)
	return err == nil && id.String() == text
}

// ListBatches returns at most limit of a tenant's batches, newest first, after the position after
// ("" for the first page), with the state of their items as of now, which may be a second
// old. A page is shorter where its batches have many items. next is the position after it; "" if it
// is the last one. One query, one call for all batches of one item, and one for each other batch.
func (s *Store) ListBatches(
	ctx context.Context, t tenant.ID, after string, limit int, now time.Time,
) (page []contract.BatchSummary, next string, err error) {
	defer fault.Wrap(&err, "submission.ListBatches(tenant, after)")

	var found []batchRow
	query := s.table.Get(topology.PK, itemkey.BatchRow.PK(string(t))).Order(dynamo.Descending).Consistent(after == "").SearchLimit(limit + 1)
	if after != "" {
		query.Range(topology.SK, dynamo.Less, after)
	}
	if _, err := query.AllWithLastEvaluatedKey(ctx, &found); err != nil {
		return nil, "", err
	}
	var n, items int
	for n < min(len(found), limit) && (n == 0 || items+found[n].ItemCount <= maxCounted) {
		items += found[n].ItemCount
		n++
	}
	if n < len(found) {
		next = found[n-1].SK
	}
	shown := slices.DeleteFunc(found[:n], func(r batchRow) bool { return r.TTL <= now.Unix() })
	stored, err := s.readBatches(ctx, shown)
	if err != nil {
		return nil, "", err
	}
	for i, r := range shown {
		_, rows, err := expandItems(stored[i])
		if err != nil {
			return nil, "", err
		}
		statuses := map[contract.ItemStatus]int{}
		for index, row := range rows {
			statuses[row.toBatchItem(uuid.Nil, index, now).Status]++
		}
		b := contract.BatchSummary{
			BatchID: r.SK, CreatedAt: contract.At(time.UnixMilli(r.CreatedAt)), ItemCount: r.ItemCount,
			Counts: contract.BatchCounts{
				Queued: statuses[contract.Queued], Processing: statuses[contract.Processing], Succeeded: statuses[contract.Succeeded],
				Failed: statuses[contract.Failed], Deduplicated: statuses[contract.Deduplicated],
			},
		}
		if r.ItemCount == 1 {
			b.ClientReferenceID = rows[0].Reference
		}
		page = append(page, b)
	}
	return page, next, nil
}

// readBatches returns the stored items of each batch, in the order of their keys.
func (s *Store) readBatches(ctx context.Context, batches []batchRow) ([][]dynamo.Item, error) {
	stored := make([][]dynamo.Item, len(batches))
	readWhole := func(ctx context.Context, places []int) error {
		return cloud.EachUntilError(ctx, maxParallelReads, places, func(ctx context.Context, _, i int) error {
			stored[i] = nil // All appends
			return s.table.Get(topology.PK, itemkey.Batch.PK(batches[i].SK)).All(ctx, &stored[i])
		})
	}
	var large []int
	for i, b := range batches {
		if b.ItemCount > 1 {
			large = append(large, i)
		}
	}
	readLarge := func(ctx context.Context) error { return readWhole(ctx, large) }
	err := cloud.InParallel(ctx, readLarge, func(ctx context.Context) error {
		rest, err := s.readSingles(ctx, batches, stored)
		return errors.Join(err, readWhole(ctx, rest))
	})
	return stored, err
}

// readSingles reads the header and the row of each batch of one item. It returns the places of those of which no header was
// read that lists the item: it was rejected, a later attempt accepted it and wrote another header, or the header, which may
// come from an older copy of the table than the row, is not there yet.
func (s *Store) readSingles(ctx context.Context, batches []batchRow, stored [][]dynamo.Item) (rest []int, err error) {
	var keys []dynamo.Keyed
	places := map[string]int{} // by the batch's key
	for i, b := range batches {
		if b.ItemCount == 1 {
			pk := itemkey.Batch.PK(b.SK)
			keys = append(keys, dynamo.Keys{pk, headerKind}, dynamo.Keys{pk, rowKind(0)})
			places[pk] = i
		}
	}
	items, err := cloud.GetItems[dynamo.Item](ctx, s.table, keys, false)
	listed := map[int]bool{}
	for _, item := range items {
		var found header
		if err := dynamo.UnmarshalItem(item, &found); err != nil {
			return nil, err
		}
		i := places[found.ID]
		switch {
		case strings.HasPrefix(found.Kind, rowPrefix):
			stored[i] = append(stored[i], item)
		case found.Accepted != "":
			stored[i] = slices.Insert(stored[i], 0, item)
			listed[i] = true
		}
	}
	for _, i := range places {
		if !listed[i] {
			rest = append(rest, i)
		}
	}
	return rest, err
}

// ReferencesOf returns, for each of some changes, the client reference of the submission; "" where
// it has none, or none any more. It makes no call unless a submission had one, and otherwise reads
// one item for each part of a batch, and another for each further attempt that accepted items.
func (s *Store) ReferencesOf(ctx context.Context, changes []changefeed.Change) (_ []string, err error) {
	defer fault.Wrap(&err, "submission.ReferencesOf(batchIDs, indexes)")

	references := make([]string, len(changes))
	left := map[int]Place{} // by the change
	for i, c := range changes {
		if c.ReferredItem == 0 {
			continue
		}
		batch, err := uuid.Parse(c.BatchID)
		if err != nil {
			return nil, err
		}
		left[i] = Place{batch, c.ReferredItem - 1}
	}
	// It reads the headers of a request's parts, a generation at a time, until no attempt has written more.
	for generation := 0; len(left) > 0; generation++ {
		headers := map[dynamo.Keyed]header{}
		for _, p := range left {
			headers[p.headerKey(generation)] = header{}
		}
		found, err := cloud.GetItems[header](ctx, s.table, slices.Collect(maps.Keys(headers)), true)
		if err != nil || len(found) == 0 {
			return references, err
		}
		for _, h := range found {
			headers[dynamo.Keys{h.ID, h.Kind}] = h
		}
		for i, p := range left {
			reference, listed := headers[p.headerKey(generation)].referenceOf(p.Index)
			if listed {
				references[i] = reference
				delete(left, i)
			}
		}
	}
	return references, nil
}

func (p Place) headerKey(generation int) dynamo.Keyed {
	return dynamo.Keys{batchKey(p.Batch), partKind(p.Index/partSize, generation)}
}
