package crm

import (
	"context"
	"errors"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Index searches recruiters' books, large ones without reading all their rows: by a
// base, which lies in a bucket and is published now and then (Publish), and the rows
// that were written since it was read.
//
// Any base is right, however old: every row that was written later is found by the
// table's index of changes, consistently, and the page's rows are read from the
// table, so that who is gone, hidden or different by now is left out. A small book
// has no base, and neither has a large one before it is first published.
//
// Bases stay in the process's memory, up to a bound. Books is safe for use by
// several goroutines.
type Index struct {
	store  *Store
	bucket cloud.Bucket
	limits Limits

	mu     sync.Mutex
	loaded map[string]*loadedIndex
	uses   int64
}

// Limits are the bounds of Books.
type Limits struct {
	// Large is the number of candidates from which on a book is published, and of the
	// rows that are read before it is known whether a book was.
	Large int
	// Memory is how many bytes of bases stay in memory, at least one book's.
	Memory int
}

// DefaultLimits are those of the deployed functions. What is below Large is read in one
// call, of less than a megabyte while rows are shorter than a kilobyte.
var DefaultLimits = Limits{Large: 1000, Memory: 64 << 20}

// IndexPrefix begins the keys of the bases.
const IndexPrefix = "books/"

// NewIndex works on the marketplace bucket.
func NewIndex(store *Store, bucket cloud.Bucket, limits Limits) *Index {
	return &Index{store: store, bucket: bucket, limits: limits, loaded: map[string]*loadedIndex{}}
}

// List is Store.List, of books of any size.
func (s *Index) List(ctx context.Context, recruiterID string, f Filter, after int64, limit int) (Page, error) {
	m := f.newMatcher()
	if len(m.words)+len(f.Tags)+len(f.Statuses) == 0 {
		return s.store.List(ctx, recruiterID, f, after, limit)
	}
	b := s.findLoaded(recruiterID)
	if b == nil {
		list, whole, based, err := s.readRowsAndHead(ctx, recruiterID, m.scanStart(after))
		switch {
		case err != nil:
			return Page{}, err
		case whole:
			return m.collectPage(list.iterateRows(), after, limit)
		case !based: // it is large, and not published yet
			return s.store.List(ctx, recruiterID, f, after, limit)
		}
		b = s.addLoaded(recruiterID)
	}
	page, err := s.searchLoaded(ctx, recruiterID, b, m, after, limit)
	if errors.Is(err, errCorruptFile) { // of another version, say; the next publication mends it
		s.dropLoaded(recruiterID)
		return s.store.List(ctx, recruiterID, f, after, limit)
	}
	return page, err
}

// readRowsAndHead reads as many rows as a book without a base has while it asks whether this
// one has a base: most have none, and one with a base has not been read in vain for
// more than that. whole tells that there are no others.
func (s *Index) readRowsAndHead(ctx context.Context, recruiterID string, after int64) (list positionedRows, whole, based bool, err error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var more bool
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		list, more, failed = s.store.readRows(reading, recruiterID, after, s.limits.Large)
	}()
	head, _, err := s.readHead(ctx, recruiterID)
	if based = head.Live(); err != nil || based {
		stop()
	}
	<-done
	if err == nil && !based {
		err = failed
	}
	return list, !more && !based, based, err
}

// searchLoaded lists a page by a base: it finds the rows, then reads them.
func (s *Index) searchLoaded(ctx context.Context, recruiterID string, b *loadedIndex, m matcher, after int64, limit int) (Page, error) {
	old, young, changed, err := b.bringUpToDate(ctx, s, recruiterID)
	if err != nil {
		return Page{}, err
	}
	defer s.trimMemory()
	some, more := old.findRows(m, after, limit, changed)
	others, evenMore := young.findRows(m, after, limit, nil)
	found := mergeRows(limit, some, others)
	if err := s.readCurrentRows(ctx, recruiterID, m, found.list); err != nil {
		return Page{}, err
	}
	return found.list.cutPage(limit, isPresent, more || evenMore || found.full), nil
}

// readCurrentRows puts the rows as they are now into a list. Those that are not there, or not
// in the same group, become empty.
func (s *Index) readCurrentRows(ctx context.Context, recruiterID string, m matcher, list positionedRows) error {
	keys, at := make([]entity.Key, len(list)), map[string]int{}
	for i, one := range list {
		place := entity.Place(one.position)
		if one.position >= otherHitOffset {
			place = entity.Place(one.position - otherHitOffset)
		}
		keys[i] = entity.KeyOf(itemkey.CandidateRow, recruiterID, place.Key(), one.ID)
		at[keys[i].SK] = i
		list[i].Row = Row{}
	}
	items, err := s.store.entities.Items(ctx, keys, true)
	for _, item := range items {
		var r Row
		if err := r.decodeRow(item.SK, item); err != nil {
			return err
		}
		one := &list[at[item.SK]]
		if how := m.classifyRow(r); how == nameHit && one.position < otherHitOffset || how == otherHit && one.position >= otherHitOffset {
			one.Row = r
		}
	}
	return err
}

// findLoaded is a book in memory; nil for none.
func (s *Index) findLoaded(recruiterID string) *loadedIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.markUsed(recruiterID)
}

// addLoaded makes a place for a book in memory, unless it has one.
func (s *Index) addLoaded(recruiterID string) *loadedIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded[recruiterID] == nil {
		s.loaded[recruiterID] = &loadedIndex{}
	}
	return s.markUsed(recruiterID)
}

// markUsed makes a book in memory the one that was used last.
func (s *Index) markUsed(recruiterID string) *loadedIndex {
	b := s.loaded[recruiterID]
	if b != nil {
		s.uses++
		b.lastUse = s.uses
	}
	return b
}

func (s *Index) dropLoaded(recruiterID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.loaded, recruiterID)
}

// trimMemory forgets the books that were not used for longest, until the others fit.
func (s *Index) trimMemory() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		bytes, longest := 0, ""
		for id, b := range s.loaded {
			bytes += int(b.bytes.Load())
			if longest == "" || b.lastUse < s.loaded[longest].lastUse {
				longest = id
			}
		}
		if bytes <= s.limits.Memory || len(s.loaded) == 1 {
			return
		}
		delete(s.loaded, longest)
	}
}

// maxChanges are worth looking for a newer base.
const maxChanges = 500
