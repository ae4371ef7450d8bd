package crm

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// book is one large book in memory.
type book struct {
	// bytes is about what it takes; used is its last turn, and belongs to Books.
	bytes atomic.Int64
	used  int64

	mu    sync.Mutex
	base  *base
	until time.Time
	// changed are the rows written since, by id; young is a base of them.
	changed map[string]Row
	young   *base
	// asked is up to when changes were read.
	asked time.Time
}

// refresh brings the book up to now: what it answers has every row that was written
// before the call. changed are the ids of the young rows, whose old ones do not count.
func (b *book) refresh(ctx context.Context, s *Books, recruiterID string) (old, young *base, changed map[string]Row, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.base == nil || len(b.changed) >= manyChanges {
		if err := b.load(ctx, s, recruiterID); err != nil {
			return nil, nil, nil, err
		}
	}
	now := s.store.now()
	quiet, err := b.catchUp(ctx, s, recruiterID)
	if err == nil && quiet {
		if err = b.fetch(ctx, s, recruiterID); err == nil {
			_, err = b.catchUp(ctx, s, recruiterID)
		}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if now.After(b.asked) {
		b.asked = now
	}
	return b.base, b.young, b.changed, nil
}

// catchUp takes what was written since the book was last asked. quiet tells that a
// younger base has more than that.
func (b *book) catchUp(ctx context.Context, s *Books, recruiterID string) (quiet bool, err error) {
	found, err := s.store.entities.Written(ctx, "U#"+recruiterID, b.asked.Add(-overlap))
	if err != nil {
		return false, err
	}
	var fresh []Row
	for _, f := range found {
		if f.SK == quietSK {
			quiet = f.Written.After(b.until)
			continue
		}
		var r Row
		if err := r.read(f.SK, f); err != nil {
			return false, err
		}
		if known, there := b.changed[r.ID]; !there || !reflect.DeepEqual(known, r) {
			fresh = append(fresh, r)
		}
	}
	b.take(fresh)
	return quiet, nil
}

// take adds rows that were written. What was answered before stays as it was.
func (b *book) take(fresh []Row) {
	if len(fresh) == 0 {
		return
	}
	b.changed = maps.Clone(b.changed)
	for _, r := range fresh {
		b.changed[r.ID] = r
	}
	b.young = pack(slices.Collect(maps.Values(b.changed)))
	b.bytes.Store(int64(b.base.size() + 2*b.young.size()))
}

// load reads the base, unless the one at hand is the newest.
func (b *book) load(ctx context.Context, s *Books, recruiterID string) error {
	if b.base != nil {
		_, head, err := s.head(ctx, recruiterID)
		if err != nil || head.Until <= b.until.UnixMilli() {
			return err
		}
	}
	return b.fetch(ctx, s, recruiterID)
}

// fetch reads the base that is there.
func (b *book) fetch(ctx context.Context, s *Books, recruiterID string) error {
	file, err := s.bucket.Get(ctx, BooksPrefix+recruiterID, maxFile)
	if err != nil {
		return err
	}
	loaded, until, err := unpack(file)
	if err != nil {
		return err
	}
	b.base, b.until, b.asked = loaded, until, until
	b.changed, b.young = map[string]Row{}, pack(nil)
	b.bytes.Store(int64(loaded.size()))
	return nil
}
