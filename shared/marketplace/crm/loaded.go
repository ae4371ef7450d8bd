package crm

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// loadedIndex is the index of one large CRM in memory.
type loadedIndex struct {
	mu sync.Mutex
	indexState
	baseTime time.Time
	// changesTime is the time up to which changes were read.
	changesTime time.Time
	// bytes is about what all takes in memory.
	bytes int
}

// indexState is a base, a base of the rows written since, and these rows by id. A row of the first base
// that is among them does not count.
type indexState struct {
	published, recent *base
	changes           map[string]Row
}

// knownState returns what is in memory, without what was written since.
func (b *loadedIndex) knownState() indexState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.indexState
}

// findPage returns the rows of a page, which have only ids and positions. more reports that others
// follow.
func (s indexState) findPage(m matcher, after int64, limit int) (list positionedRows, more bool) {
	if s.published == nil {
		return nil, false
	}
	published := s.published.findRows(m, after, limit, s.changes)
	recent := s.recent.findRows(m, after, limit, nil)
	list, more = paging.Merge(comparePositions, published, recent)
	slices.SortFunc(list, func(a, b positionedRow) int { return cmp.Or(comparePositions(a, b), cmp.Compare(a.ID, b.ID)) })
	end := list.pageEnd(limit, isPresent)
	return list[:end], more || end < len(list)
}

// bringUpToDate reads what was written before the call and returns the state with it.
func (b *loadedIndex) bringUpToDate(ctx context.Context, s *Index, recruiterID string) (indexState, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() { s.loaded.Put(recruiterID, b, min(b.bytes, s.limits.Memory)) }() // a base also if a later read fails
	if b.published == nil || len(b.changes) >= maxChanges {
		if err := b.loadNewest(ctx, s, recruiterID); err != nil {
			return indexState{}, err
		}
	}
	now := s.store.now()
	bulk, err := b.readChanges(ctx, s, recruiterID)
	if err == nil && bulk {
		err = b.fetchBase(ctx, s, recruiterID)
		if err == nil {
			_, err = b.readChanges(ctx, s, recruiterID)
		}
	}
	if err != nil {
		return indexState{}, err
	}
	if now.After(b.changesTime) {
		b.changesTime = now
	}
	return b.indexState, nil
}

// readChanges reads the changes since the last call. bulk reports that a newer base holds
// a bulk load; its rows are not among the changes.
func (b *loadedIndex) readChanges(ctx context.Context, s *Index, recruiterID string) (bulk bool, err error) {
	recent := entity.Query{
		PK: itemkey.CandidateChange.PK(recruiterID), From: sortableMillis(b.changesTime.Add(-entity.RereadWindow)), To: endOfLog,
	}
	var fresh []Row
	for item, err := range s.store.entities.Query(ctx, recent) {
		if err != nil {
			return false, err
		}
		if itemkey.BulkIndexHead.Has(item.PK, item.SK) {
			head, err := entity.Decode[indexHead](item)
			if err != nil {
				return false, err
			}
			bulk = head.BulkTime > b.baseTime.UnixMilli()
			continue
		}
		var r Row
		if err := r.decodeRow(item); err != nil {
			return false, err
		}
		if old, there := b.changes[r.ID]; !there || !reflect.DeepEqual(old, r) {
			fresh = append(fresh, r)
		}
	}
	b.applyChanges(fresh)
	return bulk, nil
}

// endOfLog sorts after every sort key of the log: they begin with a digit.
const endOfLog = ":"

// applyChanges adds rows to the changes. What bringUpToDate returned before stays as it was.
func (b *loadedIndex) applyChanges(fresh []Row) {
	if len(fresh) == 0 {
		return
	}
	b.changes = maps.Clone(b.changes)
	for _, r := range fresh {
		b.changes[r.ID] = r
	}
	b.recent = packRows(slices.Collect(maps.Values(b.changes)))
	b.bytes = b.published.memorySize() + 2*b.recent.memorySize()
}

// loadNewest reads the base, unless the one in memory is the newest.
func (b *loadedIndex) loadNewest(ctx context.Context, s *Index, recruiterID string) error {
	if b.published != nil {
		_, head, err := s.readHead(ctx, recruiterID)
		if err != nil || head.BaseTime <= b.baseTime.UnixMilli() {
			return err
		}
	}
	return b.fetchBase(ctx, s, recruiterID)
}

func (b *loadedIndex) fetchBase(ctx context.Context, s *Index, recruiterID string) error {
	file, err := s.bucket.Get(ctx, IndexPrefix+recruiterID, maxFile)
	if err != nil {
		return err
	}
	loaded, baseTime, err := decodeFile(file)
	if err != nil {
		return err
	}
	b.indexState = indexState{loaded, packRows(nil), map[string]Row{}}
	b.baseTime = baseTime
	b.changesTime = baseTime
	b.bytes = loaded.memorySize()
	return nil
}
