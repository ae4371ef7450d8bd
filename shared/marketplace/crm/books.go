package crm

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Books searches recruiters' books, large ones without reading all their rows: by a
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
type Books struct {
	store  *Store
	bucket cloud.Bucket
	limits Limits

	mu     sync.Mutex
	opened map[string]*book
	turn   int64
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

// BooksPrefix begins the keys of the bases.
const BooksPrefix = "books/"

// NewBooks works on the marketplace bucket.
func NewBooks(store *Store, bucket cloud.Bucket, limits Limits) *Books {
	return &Books{store: store, bucket: bucket, limits: limits, opened: map[string]*book{}}
}

// List is Store.List, of books of any size.
func (s *Books) List(ctx context.Context, recruiterID string, f Filter, after int64, limit int) (Page, error) {
	m := f.matcher()
	if len(m.words)+len(f.Tags)+len(f.Statuses) == 0 {
		return s.store.List(ctx, recruiterID, f, after, limit)
	}
	b := s.held(recruiterID)
	if b == nil {
		list, whole, based, err := s.first(ctx, recruiterID, m.from(after))
		switch {
		case err != nil:
			return Page{}, err
		case whole:
			return m.page(list.all(), after, limit)
		case !based: // it is large, and not published yet
			return s.store.List(ctx, recruiterID, f, after, limit)
		}
		b = s.hold(recruiterID)
	}
	page, err := s.search(ctx, recruiterID, b, m, after, limit)
	if errors.Is(err, errBroken) { // of another version, say; the next publication mends it
		s.drop(recruiterID)
		return s.store.List(ctx, recruiterID, f, after, limit)
	}
	return page, err
}

// first reads as many rows as a book without a base has while it asks whether this
// one has a base: most have none, and one with a base has not been read in vain for
// more than that. whole tells that there are no others.
func (s *Books) first(ctx context.Context, recruiterID string, after int64) (list placed, whole, based bool, err error) {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var more bool
	var failed error
	done := make(chan struct{})
	go func() {
		defer close(done)
		list, more, failed = s.store.read(reading, recruiterID, after, s.limits.Large)
	}()
	head, _, err := s.head(ctx, recruiterID)
	if based = head.Live(); err != nil || based {
		stop()
	}
	<-done
	if err == nil && !based {
		err = failed
	}
	return list, !more && !based, based, err
}

// search lists a page by a base: it finds the rows, then reads them.
func (s *Books) search(ctx context.Context, recruiterID string, b *book, m matcher, after int64, limit int) (Page, error) {
	old, young, changed, err := b.refresh(ctx, s, recruiterID)
	if err != nil {
		return Page{}, err
	}
	defer s.trim()
	some, more := old.find(m, after, limit, changed)
	others, evenMore := young.find(m, after, limit, nil)
	found := merge(limit, some, others)
	if err := s.read(ctx, recruiterID, m, found.list); err != nil {
		return Page{}, err
	}
	return found.list.page(limit, isPresent, more || evenMore || found.full), nil
}

// read puts the rows as they are now into a list. Those that are not there, or not
// in the same group, become empty.
func (s *Books) read(ctx context.Context, recruiterID string, m matcher, list placed) error {
	keys, at := make([]entity.Key, len(list)), map[string]int{}
	for i, one := range list {
		place := entity.Place(one.at)
		if one.at >= behind {
			place = entity.Place(one.at - behind)
		}
		keys[i] = entity.Key{PK: "U#" + recruiterID, SK: place.SK(rows, one.ID)}
		at[keys[i].SK] = i
		list[i].Row = Row{}
	}
	items, err := s.store.entities.Items(ctx, keys, true)
	for _, item := range items {
		var r Row
		if err := r.read(item.SK, item); err != nil {
			return err
		}
		one := &list[at[item.SK]]
		if how := m.look(r); how == byName && one.at < behind || how == elsewhere && one.at >= behind {
			one.Row = r
		}
	}
	return err
}

// held is a book in memory; nil for none.
func (s *Books) held(recruiterID string) *book {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.use(recruiterID)
}

// hold makes a place for a book in memory, unless it has one.
func (s *Books) hold(recruiterID string) *book {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened[recruiterID] == nil {
		s.opened[recruiterID] = &book{}
	}
	return s.use(recruiterID)
}

// use makes a book in memory the one that was used last.
func (s *Books) use(recruiterID string) *book {
	b := s.opened[recruiterID]
	if b != nil {
		s.turn++
		b.used = s.turn
	}
	return b
}

func (s *Books) drop(recruiterID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.opened, recruiterID)
}

// trim forgets the books that were not used for longest, until the others fit.
func (s *Books) trim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		bytes, longest := 0, ""
		for id, b := range s.opened {
			bytes += int(b.bytes.Load())
			if longest == "" || b.used < s.opened[longest].used {
				longest = id
			}
		}
		if bytes <= s.limits.Memory || len(s.opened) == 1 {
			return
		}
		delete(s.opened, longest)
	}
}

const (
	// overlap is how far back changes are asked for again: it covers the time from a
	// row's Written to its commit, which is within the feed worker's timeout, and clocks
	// that differ by half a minute.
	overlap = 90 * time.Second
	// manyChanges are worth looking for a newer base.
	manyChanges = 500
)
