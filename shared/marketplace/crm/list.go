package crm

import (
	"context"
	"iter"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// evaluated is how many rows a page looks at when tags or statuses are filtered by;
// one that little passes is short.
const evaluated = 1000

// behind is where the rows begin that were found elsewhere than in their names:
// behind all that were.
const behind = int64(entity.MaxPlace) + 1

// Page is a part of a book.
type Page struct {
	Rows []Row
	// Next is the position to go on behind; 0 when there is no more.
	Next int64
}

// List reads the page of at most limit candidates of a recruiter's book behind a
// position; 0 is before the first. They come newest first; with a query those
// whose name was found go before the others.
//
// Positions are places of rows (entity.Place), 53 bits with the group: what is
// added or removed between pages makes no other candidate be skipped or repeated.
// The page ends between two places ([paging.End]).
//
// Without a query it is one call. With one the book is read, a call for about 2,500
// candidates, until the page is full; when names fill no page, the whole book.
func (s *Store) List(ctx context.Context, recruiterID string, f Filter, after int64, limit int) (Page, error) {
	m := f.matcher()
	if len(m.words) > 0 {
		return s.search(ctx, recruiterID, m, after, limit)
	}
	n := limit + 1
	if len(f.Tags)+len(f.Statuses) > 0 {
		n = evaluated
	}
	for ; ; n *= 16 {
		list, more, err := s.read(ctx, recruiterID, after, n)
		if err != nil {
			return Page{}, err
		}
		whole := list
		if more {
			whole = list.complete()
		}
		if len(whole) > 0 || len(list) < n {
			return whole.page(limit, m.passes, more), nil
		}
	}
}

// placed are rows with their positions, in order.
type placed []spot

type spot struct {
	Row
	at int64
}

// read reads up to n rows behind a position.
func (s *Store) read(ctx context.Context, recruiterID string, after int64, n int) (list placed, more bool, err error) {
	found, more, err := s.entities.List(ctx, "U#"+recruiterID, rows, entity.AfterPlace(rows, entity.Place(after)), n)
	if err != nil {
		return nil, false, err
	}
	list = make(placed, len(found))
	for i, f := range found {
		if err := list[i].read(f.SK, f); err != nil {
			return nil, false, err
		}
		list[i].at = int64(list[i].place())
	}
	return list, more, nil
}

// all are the rows, as Store.all reads them.
func (l placed) all() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, one := range l {
			if !yield(one.Row, nil) {
				return
			}
		}
	}
}

// complete leaves out the last place, of which there may be more.
func (l placed) complete() placed {
	end := len(l)
	for end > 0 && l[end-1].at == l[len(l)-1].at {
		end--
	}
	return l[:end]
}

// search reads the book until a page is full.
func (s *Store) search(ctx context.Context, recruiterID string, m matcher, after int64, limit int) (Page, error) {
	return m.page(s.all(ctx, recruiterID, m.from(after)), after, limit)
}

// all reads a book's rows behind a position, in order.
func (s *Store) all(ctx context.Context, recruiterID string, after int64) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for f, err := range s.entities.Rows(ctx, "U#"+recruiterID, rows, entity.AfterPlace(rows, entity.Place(after))) {
			var r Row
			if err == nil {
				err = r.read(f.SK, f)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// from is where a page behind a position begins to look at rows: the others are
// found by anything, and so may stand before those that were found by name.
func (m matcher) from(after int64) int64 {
	switch {
	case after >= behind:
		return after - behind
	case len(m.words) > 0:
		return 0
	}
	return after
}

// page takes a page off a book's rows and puts those found by name before the others.
// It stops where the page is full: of those found by name, or of the others behind one.
func (m matcher) page(book iter.Seq2[Row, error], after int64, limit int) (Page, error) {
	named, others := collector{limit: limit}, collector{limit: limit}
	for r, err := range book {
		if err != nil {
			return Page{}, err
		}
		switch at := int64(r.place()); m.look(r) {
		case byName:
			named.addAfter(after, spot{r, at})
		case elsewhere:
			others.addAfter(after, spot{r, at + behind})
		}
		if named.full || after >= behind && others.full {
			break
		}
	}
	list, more := joinGroups(named, others)
	return list.page(limit, isPresent, more), nil
}

// collector collects the beginning of a list: as many rows as a page holds.
type collector struct {
	limit int
	list  placed
	// full reports whether rows were left out.
	full bool
}

// addAfter adds the list's next row, unless it is not behind a position.
func (c *collector) addAfter(after int64, one spot) {
	if c.full || one.at <= after {
		return
	}
	if c.list = append(c.list, one); len(c.list) > c.limit {
		end := c.list.end(c.limit, isPresent)
		c.list, c.full = c.list[:end], end < len(c.list)
	}
}

// joinGroups returns the rows found by name and then the others. more reports whether
// there are others behind those.
func joinGroups(named, others collector) (list placed, more bool) {
	if named.full {
		return named.list, true
	}
	return append(named.list, others.list...), others.full
}

// isPresent reports whether the row has been read.
func isPresent(r Row) bool { return r.ID != "" }

func (m matcher) passes(r Row) bool { return m.look(r) != unfit }

// end returns how many rows of the list a page looks at.
func (l placed) end(limit int, shown func(Row) bool) int {
	return paging.End(l, limit, func(one spot) (int64, bool) { return one.at, shown(one.Row) })
}

// page returns the page that the list begins with. more reports whether other places
// follow the list's.
func (l placed) page(limit int, shown func(Row) bool, more bool) (p Page) {
	end := l.end(limit, shown)
	for _, one := range l[:end] {
		if shown(one.Row) {
			p.Rows = append(p.Rows, one.Row)
		}
	}
	if end > 0 && (more || end < len(l)) {
		p.Next = l[end-1].at
	}
	return p
}
