package crm

import (
	"context"
	"iter"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// maxExamined is how many rows are read for a page that is filtered by tags or statuses.
// A page is short if few of them pass.
const maxExamined = 1000

// otherHitOffset is added to the positions of rows that were not found by their names, which
// puts them after all that were.
const otherHitOffset = int64(entity.MaxRank) + 1

// Page is a part of a recruiter's list.
type Page struct {
	Rows []Row
	// Next is the position after which the next page begins; 0 on the last page.
	Next int64
}

// List returns the page of at most limit of a recruiter's candidates after a position; 0
// is before the first. The newest come first; with a query, those found by
// name precede the others.
//
// A position is the rank of a row ([entity.Rank]) and its group, in 53 bits. Candidates
// that are added or removed between pages cause no other to be skipped or repeated.
// A page ends between two ranks ([paging.End]).
//
// Without a query, List is usually one call. With one it reads rows, about 2,500 in a call, until
// the page is full; if names do not fill it, all rows.
func (s *Store) List(ctx context.Context, recruiterID string, f Filter, after int64, limit int) (_ Page, err error) {
	defer fault.Wrap(&err, "crm.List(recruiterID)")

	m := f.newMatcher()
	if m.selectsNone() {
		return Page{}, nil
	}
	if len(m.words) > 0 {
		return m.collectPage(s.iterateRows(ctx, rowsAfter(recruiterID, m.scanStart(after))), after, limit)
	}
	n := limit + 1
	if len(f.Tags)+len(f.Statuses) > 0 {
		n = maxExamined
	}
	list, more, err := s.readRows(ctx, recruiterID, after, n)
	return list.cutPage(limit, func(r Row) bool { return m.classifyRow(r) != noHit }, more), err
}

// positionedRows are rows in the order of their positions.
type positionedRows []positionedRow

type positionedRow struct {
	Row
	position int64
}

func rowsAfter(recruiterID string, position int64) entity.Query {
	return entity.QueryOf(itemkey.CandidateRow, recruiterID).AfterRank(entity.Rank(position))
}

// readRows reads rows after a position: n, without those of a rank that may be incomplete, or all. more reports that
// others follow.
func (s *Store) readRows(ctx context.Context, recruiterID string, after int64, n int) (list positionedRows, more bool, err error) {
	found, more, err := s.entities.QueryRanks(ctx, rowsAfter(recruiterID, after), n, 1)
	if err != nil {
		return nil, false, err
	}
	list = make(positionedRows, len(found))
	for i, f := range found {
		if err := list[i].decodeRow(f); err != nil {
			return nil, false, err
		}
		list[i].position = int64(list[i].listRank())
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

func (s *Store) iterateRows(ctx context.Context, q entity.Query) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for f, err := range s.entities.Query(ctx, q) {
			var r Row
			if err == nil {
				err = r.decodeRow(f)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}
