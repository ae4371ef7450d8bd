package crm

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// loadedIndex is one large book in memory.
type loadedIndex struct {
	// bytes is about what it takes; used is its last turn, and belongs to Books.
	bytes   atomic.Int64
	lastUse int64

	mu       sync.Mutex
	base     *base
	baseTime time.Time
	// changes are the rows written since, by id; young is a base of them.
	changes     map[string]Row
	changesBase *base
	// changesTime is up to when changes were read.
	changesTime time.Time
}

// bringUpToDate brings the book up to now: what it answers has every row that was written
// before the call. changed are the ids of the young rows, whose old ones do not count.
func (b *loadedIndex) bringUpToDate(ctx context.Context, s *Index, recruiterID string) (old, young *base, changed map[string]Row, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil || len(b.changes) >= maxChanges {
		if err := b.loadNewest(ctx, s, recruiterID); err != nil {
			return nil, nil, nil, err
		}
	}
	now := s.store.now()
	quiet, err := b.catchUp(ctx, s, recruiterID)
	if err == nil && quiet {
		if err = b.fetchBase(ctx, s, recruiterID); err == nil {
			_, err = b.catchUp(ctx, s, recruiterID)
		}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if now.After(b.changesTime) {
		b.changesTime = now
	}
	return b.base, b.changesBase, b.changes, nil
}

// catchUp takes what was written since the book was last asked. quiet tells that a
// younger base has more than that.
func (b *loadedIndex) catchUp(ctx context.Context, s *Index, recruiterID string) (quiet bool, err error) {
	recent := entity.Query{PK: itemkey.CandidateRow.PK(recruiterID), WrittenSince: b.changesTime.Add(-entity.RereadWindow)}
	var fresh []Row
	for item, err := range s.store.entities.Query(ctx, recent) {
		if err != nil {
			return false, err
		}
		if item.SK == itemkey.BulkBook.SK() {
			quiet = item.Written.After(b.baseTime)
			continue
		}
		var r Row
		if err := r.decodeRow(item.SK, item); err != nil {
			return false, err
		}
		if known, there := b.changes[r.ID]; !there || !reflect.DeepEqual(known, r) {
			fresh = append(fresh, r)
		}
	}
	b.applyChanges(fresh)
	return quiet, nil
}

// applyChanges adds rows that were written. What was answered before stays as it was.
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

// loadNewest reads the base, unless the one at hand is the newest.
func (b *loadedIndex) loadNewest(ctx context.Context, s *Index, recruiterID string) error {
	if b.base != nil {
		_, head, err := s.readHead(ctx, recruiterID)
		if err != nil || head.BaseTime <= b.baseTime.UnixMilli() {
			return err
		}
	}
	return b.fetchBase(ctx, s, recruiterID)
}

// fetchBase reads the base that is there.
func (b *loadedIndex) fetchBase(ctx context.Context, s *Index, recruiterID string) error {
	file, err := s.bucket.Get(ctx, IndexPrefix+recruiterID, maxFile)
	if err != nil {
		return err
	}
	loaded, until, err := decodeFile(file)
	if err != nil {
		return err
	}
	b.base, b.baseTime, b.changesTime = loaded, until, until
	b.changes, b.changesBase = map[string]Row{}, packRows(nil)
	b.bytes.Store(int64(loaded.memorySize()))
	return nil
}
