package crm

import (
	"context"
	"iter"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// maxExamined is how many rows a page looks at when tags or statuses are filtered by;
// one that little passes is short.
const maxExamined = 1000

// otherHitOffset is where the rows begin that were found elsewhere than in their names:
// behind all that were.
const otherHitOffset = int64(entity.MaxPlace) + 1

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
	m := f.newMatcher()
	if len(m.words) > 0 {
		return s.search(ctx, recruiterID, m, after, limit)
	}
	n := limit + 1
	if len(f.Tags)+len(f.Statuses) > 0 {
		n = maxExamined
	}
	for ; ; n *= 16 {
		list, more, err := s.readRows(ctx, recruiterID, after, n)
		if err != nil {
			return Page{}, err
		}
		whole := list
		if more {
			whole = list.dropLastPlace()
		}
		if len(whole) > 0 || len(list) < n {
			return whole.cutPage(limit, m.passesFilter, more), nil
		}
	}
}

// positionedRows are rows with their positions, in order.
type positionedRows []positionedRow

type positionedRow struct {
	Row
	position int64
}

// rowsAfter selects a book's rows behind a position.
func rowsAfter(recruiterID string, position int64) entity.Query {
	return entity.QueryOf(itemkey.CandidateRow, recruiterID).AfterPlace(entity.Place(position))
}

// readRows reads up to n rows behind a position.
func (s *Store) readRows(ctx context.Context, recruiterID string, after int64, n int) (list positionedRows, more bool, err error) {
	found, more, err := s.entities.QueryPage(ctx, rowsAfter(recruiterID, after), n)
	if err != nil {
		return nil, false, err
	}
	list = make(positionedRows, len(found))
	for i, f := range found {
		if err := list[i].decodeRow(f.SK, f); err != nil {
			return nil, false, err
		}
		list[i].position = int64(list[i].listPlace())
	}
	return list, more, nil
}

// iterateRows are the rows, as Store.all reads them.
func (l positionedRows) iterateRows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, one := range l {
			if !yield(one.Row, nil) {
				return
			}
		}
	}
}

// dropLastPlace leaves out the last place, of which there may be more.
func (l positionedRows) dropLastPlace() positionedRows {
	end := len(l)
	for end > 0 && l[end-1].position == l[len(l)-1].position {
		end--
	}
	return l[:end]
}

// search reads the book until a page is full.
func (s *Store) search(ctx context.Context, recruiterID string, m matcher, after int64, limit int) (Page, error) {
	return m.collectPage(s.iterateRows(ctx, recruiterID, m.scanStart(after)), after, limit)
}

// iterateRows reads a book's rows behind a position, in order.
func (s *Store) iterateRows(ctx context.Context, recruiterID string, after int64) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for f, err := range s.entities.Query(ctx, rowsAfter(recruiterID, after)) {
			var r Row
			if err == nil {
				err = r.decodeRow(f.SK, f)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// scanStart is where a page behind a position begins to look at rows: the others are
// found by anything, and so may stand before those that were found by name.
func (m matcher) scanStart(after int64) int64 {
	switch {
	case after >= otherHitOffset:
		return after - otherHitOffset
	case len(m.words) > 0:
		return 0
	}
	return after
}

// collectPage takes a page off a book's rows and puts those found by name before the others.
// It stops where the page is full: of those found by name, or of the others behind one.
func (m matcher) collectPage(book iter.Seq2[Row, error], after int64, limit int) (Page, error) {
	named, others := collector{limit: limit}, collector{limit: limit}
	for r, err := range book {
		if err != nil {
			return Page{}, err
		}
		switch at := int64(r.listPlace()); m.classifyRow(r) {
		case nameHit:
			named.addAfter(after, positionedRow{r, at})
		case otherHit:
			others.addAfter(after, positionedRow{r, at + otherHitOffset})
		}
		if named.full || after >= otherHitOffset && others.full {
			break
		}
	}
	list, more := joinGroups(named, others)
	return list.cutPage(limit, isPresent, more), nil
}

// collector collects the beginning of a list: as many rows as a page holds.
type collector struct {
	limit int
	list  positionedRows
	// full reports whether rows were left out.
	full bool
}

// addAfter adds the list's next row, unless it is not behind a position.
func (c *collector) addAfter(after int64, one positionedRow) {
	if c.full || one.position <= after {
		return
	}
	if c.list = append(c.list, one); len(c.list) > c.limit {
		end := c.list.pageEnd(c.limit, isPresent)
		c.list, c.full = c.list[:end], end < len(c.list)
	}
}

// joinGroups returns the rows found by name and then the others. more reports whether
// there are others behind those.
func joinGroups(named, others collector) (list positionedRows, more bool) {
	if named.full {
		return named.list, true
	}
	return append(named.list, others.list...), others.full
}

// isPresent reports whether the row has been read.
func isPresent(r Row) bool { return r.ID != "" }

func (m matcher) passesFilter(r Row) bool { return m.classifyRow(r) != noHit }

// pageEnd returns how many rows of the list a page looks at.
func (l positionedRows) pageEnd(limit int, shown func(Row) bool) int {
	return paging.End(l, limit, func(one positionedRow) (int64, bool) { return one.position, shown(one.Row) })
}

// cutPage returns the page that the list begins with. more reports whether other places
// follow the list's.
func (l positionedRows) cutPage(limit int, shown func(Row) bool, more bool) (p Page) {
	end := l.pageEnd(limit, shown)
	for _, one := range l[:end] {
		if shown(one.Row) {
			p.Rows = append(p.Rows, one.Row)
		}
	}
	if end > 0 && (more || end < len(l)) {
		p.Next = l[end-1].position
	}
	return p
}
