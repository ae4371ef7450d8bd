package crm

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Index searches recruiters' CRMs, large ones without reading all their rows: by a base,
// which is an object in a bucket and published from time to time ([Index.Publish]), and by
// the changes, which are the rows written since the base was.
//
// The age of a base does not affect the result. Every row written later is found by a consistent
// read of the log of changes, and the rows of a page are read from the table, which leaves out
// those that were deleted, hidden or changed. A small CRM has no base, and neither has a large one
// before it is first published.
//
// Bases stay in the process's memory, up to a bound. An Index is safe for concurrent use.
type Index struct {
	store  *Store
	bucket objectstore.Bucket
	limits Limits
	loaded *cloud.Cache[*loadedIndex]
}

// Limits are the bounds of an [Index].
type Limits struct {
	// Large is the number of candidates from which on a base is published.
	Large int
	// Unpublished is the number of rows that are read, if it is more than Large, before it is known
	// whether there is a base: a CRM of fewer candidates without one takes one call.
	Unpublished int
	// Memory is how many bytes of bases stay in memory; one always does.
	Memory int
}

// DefaultLimits are those of the deployed functions. From Large on, decoding all rows costs a search more
// processor time than a base does. Unpublished rows of up to a kilobyte are read in one call, of a megabyte.
var DefaultLimits = Limits{Large: 100, Unpublished: 1000, Memory: 64 << 20}

// IndexPrefix begins the object keys of the bases, followed by the recruiter.
const IndexPrefix = "books/"

// NewIndex returns an index with its bases in the marketplace bucket.
func NewIndex(store *Store, bucket objectstore.Bucket, limits Limits) *Index {
	limits.Memory = max(1, limits.Memory) // room for one base, which takes no more than all of it (bringUpToDate)
	return &Index{store: store, bucket: bucket, limits: limits, loaded: cloud.NewCache[*loadedIndex](limits.Memory)}
}

// List returns the page of at most limit of a recruiter's candidates after a position; 0
// is before the first. The newest come first; with a query, those found by
// name precede the others.
//
// A position is the rank of a row ([entity.Rank]) and its group, in 53 bits. Candidates
// that are added or removed between pages cause no other to be skipped or repeated.
// A page ends between two ranks ([paging.End]).
//
// Without a filter, List is usually one call.
func (s *Index) List(ctx context.Context, recruiterID string, f Filter, after int64, limit int) (_ Page, err error) {
	defer fault.Wrap(&err, "crm.List(recruiterID)")

	m := f.newMatcher()
	switch {
	case f.Query != "" && len(m.words) == 0:
		return Page{}, nil
	case f.Query == "" && len(f.Tags)+len(f.Statuses) == 0:
		list, more, err := s.store.readRows(ctx, recruiterID, after, limit+1)
		return list.cutPage(limit, more), err
	}
	b, isLoaded := s.loaded.Get(recruiterID)
	if !isLoaded {
		list, more, isBased, err := s.readRowsAndHead(ctx, recruiterID, m.scanStart(after))
		switch {
		case err != nil:
			return Page{}, err
		case isBased:
			b = s.loaded.GetOrPut(recruiterID, &loadedIndex{}, 0)
		case more: // it is large, and not published yet
			return s.store.scanRows(ctx, recruiterID, m, after, limit)
		default:
			c := collector{after: after, limit: limit}
			for i := 0; i < len(list) && !c.isFull(); i++ {
				c.add(list[i].Row, list[i].position, m.classifyRow(list[i].Row))
			}
			return c.page(), nil
		}
	}
	page, err := s.searchIndex(ctx, recruiterID, b, m, after, limit)
	if errors.Is(err, errCorruptFile) { // of another version, for example; the next publication replaces it
		s.loaded.Remove(recruiterID)
		return s.store.scanRows(ctx, recruiterID, m, after, limit)
	}
	return page, err
}

// readRowsAndHead reads as many rows as a CRM without a base has, and concurrently whether this
// one has a base: most have none, and for the others no more than that is read in vain.
// more reports that a CRM without a base has other rows.
func (s *Index) readRowsAndHead(
	ctx context.Context, recruiterID string, after int64,
) (list positionedRows, more, isBased bool, err error) {
	readingRows, stop := context.WithCancel(ctx)
	defer stop()
	var failed error // of no interest where there is a base
	err = cloud.InParallel(ctx,
		func(context.Context) error {
			list, more, failed = s.store.readRows(readingRows, recruiterID, after, max(s.limits.Large, s.limits.Unpublished))
			return nil
		},
		func(ctx context.Context) error {
			head, _, err := s.readHead(ctx, recruiterID)
			isBased = err == nil && head.Live()
			if err != nil || isBased {
				stop()
			}
			return err
		})
	if err == nil && !isBased {
		err = failed
	}
	return list, more, isBased, err
}

// searchIndex lists a page by a base and the changes: it finds the rows, then reads them. While it reads the
// changes it already reads the rows that it would find without newer ones: most searches find none.
func (s *Index) searchIndex(
	ctx context.Context, recruiterID string, b *loadedIndex, m matcher, after int64, limit int,
) (_ Page, err error) {
	defer fault.Wrap(&err, "crm.searchIndex(recruiterID)")

	stored := map[string]entity.Item{} // by sort key; a row that does not exist has an empty item
	b.mu.Lock()
	known := b.indexState
	b.mu.Unlock()
	likely, _ := known.findPage(m, after, limit)
	var state indexState
	err = cloud.InParallel(ctx,
		func(ctx context.Context) error { return s.readMissing(ctx, recruiterID, likely, stored) },
		cloud.Reading(&state, func(ctx context.Context) (indexState, error) { return b.bringUpToDate(ctx, s, recruiterID) }))
	if err != nil {
		return Page{}, err
	}
	found, more := state.findPage(m, after, limit)
	if err := s.readMissing(ctx, recruiterID, found, stored); err != nil {
		return Page{}, err
	}
	for i := range found {
		one := &found[i]
		var r Row
		if err := r.decodeRow(stored[one.key(recruiterID).SK]); err != nil {
			return Page{}, err
		}
		one.Row = Row{} // stays empty if the row is gone or in another group
		if m.classifyRow(r) == hitKind(one.position/otherHitOffset) {
			one.Row = r
		}
	}
	return found.cutPage(limit, more), nil
}

// maxChanges is the number of changes from which on a newer base is read.
const maxChanges = 500

// readMissing reads the rows of a list that were not read before.
func (s *Index) readMissing(ctx context.Context, recruiterID string, list positionedRows, stored map[string]entity.Item) error {
	var missing []entity.Key
	for _, one := range list {
		k := one.key(recruiterID)
		if _, read := stored[k.SK]; !read {
			missing = append(missing, k)
		}
	}
	items, err := s.store.entities.Items(ctx, missing, true)
	if err != nil {
		return err
	}
	for _, k := range missing {
		stored[k.SK] = entity.Item{}
	}
	for _, item := range items {
		stored[item.SK] = item
	}
	return nil
}

func (r positionedRow) key(recruiterID string) entity.Key {
	rank := entity.Rank(r.position % otherHitOffset)
	return entity.KeyOf(itemkey.CandidateRow, recruiterID, rank.Key(), r.ID)
}

// loadedIndex is the index of one large CRM in memory.
type loadedIndex struct {
	mu sync.Mutex
	indexState
	baseTime    time.Time
	changesTime time.Time // up to which changes were read
	head        indexHead // the newest that was among them
	bytes       int       // about what all takes in memory
}

// indexState is a base, a base of the rows written since, and these rows by id, which replace those of the first base.
type indexState struct {
	published, recent *base
	changes           map[string]Row
}

// findPage returns the rows of a page, with ids and positions alone. more reports that others follow.
func (s indexState) findPage(m matcher, after int64, limit int) (list positionedRows, more bool) {
	if s.published == nil {
		return nil, false
	}
	published := s.published.findRows(m, after, limit, s.changes)
	recent := s.recent.findRows(m, after, limit, nil)
	list, more = paging.Merge(comparePositions, published, recent)
	slices.SortFunc(list, func(a, b positionedRow) int { return cmp.Or(comparePositions(a, b), cmp.Compare(a.ID, b.ID)) })
	end := list.pageEnd(limit)
	return list[:end], more || end < len(list)
}

// bringUpToDate reads what was written before the call and returns the state with it.
func (b *loadedIndex) bringUpToDate(ctx context.Context, s *Index, recruiterID string) (indexState, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer func() { s.loaded.Put(recruiterID, b, min(b.bytes, s.limits.Memory)) }() // a base also if a later read fails
	if b.published == nil {
		if err := b.fetchBase(ctx, s, recruiterID); err != nil {
			return indexState{}, err
		}
	}
	now := s.store.now()
	err := b.readChanges(ctx, s, recruiterID)
	base := b.baseTime.UnixMilli()
	// Whether a newer base holds a bulk load, which is not among the changes, or saves maxChanges of them.
	isOutdated := b.head.BulkTime > base || len(b.changes) >= maxChanges && b.head.BaseTime > base
	if err == nil && isOutdated {
		err = b.fetchBase(ctx, s, recruiterID)
		if err == nil {
			err = b.readChanges(ctx, s, recruiterID)
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

// readChanges reads the changes since the last call. What bringUpToDate returned before stays as it was.
func (b *loadedIndex) readChanges(ctx context.Context, s *Index, recruiterID string) (err error) {
	defer fault.Wrap(&err, "crm.readChanges(recruiterID)")

	recent := entity.Query{
		PK: itemkey.CandidateChange.PK(recruiterID), From: sortableMillis(b.changesTime.Add(-entity.RereadWindow)),
		To: ":", // after every sort key of the log: they begin with a digit
	}
	var fresh []Row
	for item, err := range s.store.entities.Query(ctx, recent) {
		if err != nil {
			return err
		}
		if itemkey.LoggedIndexHead.Has(item.PK, item.SK) {
			if err := item.Into(&b.head); err != nil {
				return err
			}
			continue
		}
		var r Row
		if err := r.decodeRow(item); err != nil {
			return err
		}
		if old, there := b.changes[r.ID]; !there || !reflect.DeepEqual(old, r) {
			fresh = append(fresh, r)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	b.changes = maps.Clone(b.changes)
	for _, r := range fresh {
		b.changes[r.ID] = r
	}
	b.recent = packRows(slices.Collect(maps.Values(b.changes)))
	b.bytes = b.published.memorySize() + 2*b.recent.memorySize()
	return nil
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
