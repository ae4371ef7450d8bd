package submission

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// batchRow is a row of a tenant's list of batches. It is written with the batch's header and never
// again: what became of the items is counted when it is asked for, and the client reference of a
// batch of one is the header's.
type batchRow struct {
	PK        string `dynamo:"pk"`
	SK        string `dynamo:"sk"`
	CreatedAt int64  `dynamo:"created"`
	ItemCount int    `dynamo:"count"`
	TTL       int64  `dynamo:"ttl"`
}

func (b Batch) rowItem() batchRow {
	pk, sk := itemkey.BatchRow.Key(string(b.Tenant), b.ID.String())
	return batchRow{pk, sk, b.CreatedAt.UnixMilli(), b.ItemCount, b.CreatedAt.Add(Retention).Unix()}
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
	n, items := 0, 0
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
		summary, err := r.summarize(stored[i], now)
		if err != nil {
			return nil, "", err
		}
		page = append(page, summary)
	}
	return page, next, nil
}

// readBatches returns the stored items of each batch, in the order of their keys.
func (s *Store) readBatches(ctx context.Context, batches []batchRow) ([][]dynamo.Item, error) {
	stored := make([][]dynamo.Item, len(batches))
	var large []int
	for i, b := range batches {
		if b.ItemCount > 1 {
			large = append(large, i)
		}
	}
	readSingles := func(ctx context.Context) error {
		rest, err := s.readSingles(ctx, batches, stored)
		return errors.Join(err, s.readWhole(ctx, batches, rest, stored))
	}
	readLarge := func(ctx context.Context) error { return s.readWhole(ctx, batches, large, stored) }
	err := cloud.InParallel(ctx, readLarge, readSingles)
	return stored, err
}

// readWhole reads all items of the batches at some places.
func (s *Store) readWhole(ctx context.Context, batches []batchRow, places []int, stored [][]dynamo.Item) error {
	return cloud.EachUntilError(ctx, maxParallelReads, places, func(ctx context.Context, _, i int) error {
		stored[i] = nil // All appends
		return s.table.Get(topology.PK, itemkey.Batch.PK(batches[i].SK)).All(ctx, &stored[i])
	})
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
			keys, places[pk] = append(keys, dynamo.Keys{pk, headerKind}, dynamo.Keys{pk, rowKind(0)}), i
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

// summarize returns the batch with the counts of its stored items as a reader sees them now.
func (r batchRow) summarize(items []dynamo.Item, now time.Time) (contract.BatchSummary, error) {
	_, rows, err := expandItems(items)
	b := contract.BatchSummary{
		BatchID: r.SK, CreatedAt: contract.At(time.UnixMilli(r.CreatedAt)), ItemCount: r.ItemCount, Counts: countStatuses(rows, now),
	}
	if r.ItemCount == 1 {
		b.ClientReferenceID = rows[0].Reference
	}
	return b, err
}

func countStatuses(rows map[int]row, now time.Time) (c contract.BatchCounts) {
	for index, r := range rows {
		switch r.toBatchItem(uuid.Nil, index, now).Status {
		case contract.Queued:
			c.Queued++
		case contract.Processing:
			c.Processing++
		case contract.Succeeded:
			c.Succeeded++
		case contract.Failed:
			c.Failed++
		case contract.Deduplicated:
			c.Deduplicated++
		}
	}
	return c
}
