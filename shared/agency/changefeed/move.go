package changefeed

import (
	"context"
	"slices"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	// maxMoved bounds the entries of a segment: a transaction has 100 actions, and two of them are
	// the segment and the head.
	maxMoved = 98
	// maxBytes bounds a segment, which is an item of at most 400 KB.
	maxBytes = 200 << 10
	// maxSegment is more than the changes of any segment.
	maxSegment = 1 << 16
)

// readEntries returns the oldest entries without a number, in order. all reports whether there are
// no more. Unless exact is set, an entry of the last second may be missing, and one that was moved
// in the last second may be there.
func (f *Feed) readEntries(ctx context.Context, t tenant.ID, exact bool) (entries []entryItem, all bool, err error) {
	var found [shards][]entryItem
	var more [shards]bool
	group, ctx := errgroup.WithContext(ctx)
	for shard := range shards {
		group.Go(func() error {
			query := f.table.Get(topology.PK, shardKey(t, shard)).Consistent(exact).SearchLimit(maxMoved)
			next, err := query.AllWithLastEvaluatedKey(ctx, &found[shard])
			more[shard] = next != nil
			return err
		})
	}
	err = group.Wait()
	entries = slices.SortedFunc(slices.Values(slices.Concat(found[:]...)), compareEntries)
	all = !slices.Contains(more[:], true)
	if !all && len(entries) > maxMoved {
		entries = entries[:maxMoved] // later ones may precede what was not read
	}
	return entries, all, err
}

// move gives numbers from first on to the oldest of some entries. It returns their segment, the
// number after the last of its changes, and the entries that are left. moved is false if another
// reader has moved entries since they were read.
func (f *Feed) move(
	ctx context.Context, t tenant.ID, first int64, entries []entryItem,
) (s segmentItem, left []entryItem, moved bool, err error) {
	n := 0
	size := 0
	for n < min(len(entries), maxMoved) && (n == 0 || size+len(entries[n].Changes) <= maxBytes) {
		size += len(entries[n].Changes)
		n++
	}
	s = newSegment(t, first, entries[:n])
	changes, _, err := s.decode()
	if err != nil {
		return s, nil, false, err
	}
	head := f.table.Update(topology.PK, s.PK).Range(topology.SK, headKind).
		Set("last", first+int64(len(changes))-1).Set("recorded", s.Recorded)
	if first == 1 {
		head.If("attribute_not_exists(pk)")
	} else {
		head.If("'last' = ?", first-1)
	}
	tx := f.write().Update(head).Put(f.table.Put(s))
	for _, e := range entries[:n] {
		tx.Delete(f.table.Delete(topology.PK, e.PK).Range(topology.SK, e.SK).If("attribute_exists(pk)"))
	}
	err = tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return s, entries, false, nil
	}
	return s, entries[n:], err == nil, err
}

// readHead returns the head, which is zero if no number was given.
func (f *Feed) readHead(ctx context.Context, t tenant.ID) (head headItem, err error) {
	_, err = cloud.GetItem(ctx, f.table, logKey(t), headKind, &head)
	return head, err
}
