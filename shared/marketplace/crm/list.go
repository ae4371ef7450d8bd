package crm

import (
	"context"
	"iter"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// maxExamined is how many rows are read for a page that is filtered by tags or statuses.
// A page is short if few of them pass.
const maxExamined = 1000

// otherHitOffset is added to the positions of rows that were not found by their names, which
// puts them behind all that were.
const otherHitOffset = int64(entity.MaxPlace) + 1

// Page is a part of a recruiter's list.
type Page struct {
	Rows []Row
	// Next is the position behind which the next page begins; 0 on the last page.
	Next int64
}

// List returns the page of at most limit of a recruiter's candidates behind a position; 0
// is before the first. They are ordered from the newest on; with a query, those found by
// their names come before the others.
//
// A position is the place of a row ([entity.Place]) and its group, in 53 bits. Candidates
// that are added or removed between pages make no other candidate be skipped or repeated.
// The page ends between two places ([paging.End]).
//
// Without a query, List is one call. With one it reads rows, about 2,500 in a call, until
// the page is full; if names do not fill it, all rows.
func (s *Store) List(ctx context.Context, recruiterID string, f Filter, after int64, limit int) (Page, error) {
	m := f.newMatcher()
	if len(m.words) > 0 {
		return m.collectPage(s.iterateRows(ctx, recruiterID, m.scanStart(after)), after, limit)
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

// positionedRows are rows in the order of their positions.
type positionedRows []positionedRow

type positionedRow struct {
	Row
	position int64
}

// rowsAfter returns the query for a recruiter's rows behind a position.
func rowsAfter(recruiterID string, position int64) entity.Query {
	return entity.QueryOf(itemkey.CandidateRow, recruiterID).AfterPlace(entity.Place(position))
}

// readRows reads up to n rows behind a position. more reports that others follow.
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

// allRows iterates over the rows like [Store.iterateRows].
func (l positionedRows) allRows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, one := range l {
			if !yield(one.Row, nil) {
				return
			}
		}
	}
}

// dropLastPlace returns the rows without those of the last place, which may be incomplete.
func (l positionedRows) dropLastPlace() positionedRows {
	end := len(l)
	for end > 0 && l[end-1].position == l[len(l)-1].position {
		end--
	}
	return l[:end]
}

// iterateRows reads a recruiter's rows behind a position, in order.
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
