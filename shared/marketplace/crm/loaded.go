package crm

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// loadedIndex is the index of one large CRM in memory.
type loadedIndex struct {
	// bytes is about what it takes in memory. lastUse is guarded by Index.mu.
	bytes   atomic.Int64
	lastUse int64

	mu       sync.Mutex
	base     *base
	baseTime time.Time
	// changes are the rows written since baseTime, by id; changesBase is a base of them.
	changes     map[string]Row
	changesBase *base
	// changesTime is the time up to which changes were read.
	changesTime time.Time
}

// indexState is a base, a base of the changes since, and the changes by id. A row of the first base
// that is among the changes does not count.
type indexState struct {
	published, recent *base
	changes           map[string]Row
}

// knownState returns what is in memory, without what was written since.
func (b *loadedIndex) knownState() indexState {
	b.mu.Lock()
	defer b.mu.Unlock()
	return indexState{b.base, b.changesBase, b.changes}
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
	slices.SortFunc(list, compareIDs)
	end := list.pageEnd(limit, isPresent)
	return list[:end], more || end < len(list)
}

// bringUpToDate reads what was written before the call and returns the state with it.
func (b *loadedIndex) bringUpToDate(ctx context.Context, s *Index, recruiterID string) (indexState, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil || len(b.changes) >= maxChanges {
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
	return indexState{b.base, b.changesBase, b.changes}, nil
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
			var head indexHead
			if err := item.Into(&head); err != nil {
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
	b.changesBase = packRows(slices.Collect(maps.Values(b.changes)))
	b.bytes.Store(int64(b.base.memorySize() + 2*b.changesBase.memorySize()))
}

// loadNewest reads the base, unless the one in memory is the newest.
func (b *loadedIndex) loadNewest(ctx context.Context, s *Index, recruiterID string) error {
	if b.base != nil {
		_, head, err := s.readHead(ctx, recruiterID)
		if err != nil || head.BaseTime <= b.baseTime.UnixMilli() {
			return err
		}
	}
	return b.fetchBase(ctx, s, recruiterID)
}

// fetchBase reads the published base.
func (b *loadedIndex) fetchBase(ctx context.Context, s *Index, recruiterID string) error {
	file, err := s.bucket.Get(ctx, IndexPrefix+recruiterID, maxFile)
	if err != nil {
		return err
	}
	loaded, baseTime, err := decodeFile(file)
	if err != nil {
		return err
	}
	b.base = loaded
	b.baseTime = baseTime
	b.changesTime = baseTime
	b.changes = map[string]Row{}
	b.changesBase = packRows(nil)
	b.bytes.Store(int64(loaded.memorySize()))
	return nil
}
