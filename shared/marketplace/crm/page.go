package crm

import (
	"iter"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

// scanStart returns the rank after which the rows of a page are looked for. Rows not
// found by name may be anywhere in the list, so with a query that is its beginning.
func (m matcher) scanStart(after int64) int64 {
	switch {
	case after >= otherHitOffset:
		return after - otherHitOffset
	case len(m.words) > 0:
		return 0
	}
	return after
}

// collectPage returns a page of the rows that pass, those found by name before the others. It
// stops reading rows when the page is full.
func (m matcher) collectPage(rows iter.Seq2[Row, error], after int64, limit int) (Page, error) {
	named := collector{limit: limit}
	others := collector{limit: limit}
	for r, err := range rows {
		if err != nil {
			return Page{}, err
		}
		switch at := int64(r.listRank()); m.classifyRow(r) {
		case nameHit:
			named.addAfter(after, positionedRow{r, at})
		case otherHit:
			others.addAfter(after, positionedRow{r, at + otherHitOffset})
		}
		if named.full || after >= otherHitOffset && others.full {
			break
		}
	}
	found := joinGroups(named, others)
	return positionedRows(found.Rows).cutPage(limit, isPresent, found.More), nil
}

// collector collects as many rows from the beginning of a list as a page holds.
type collector struct {
	limit int
	list  positionedRows
	// full reports whether rows were left out.
	full bool
}

// addAfter adds the next row of the list, if it is after a position.
func (c *collector) addAfter(after int64, one positionedRow) {
	if c.full || one.position <= after {
		return
	}
	c.list = append(c.list, one)
	if len(c.list) > c.limit {
		end := c.list.pageEnd(c.limit, isPresent)
		c.list, c.full = c.list[:end], end < len(c.list)
	}
}

// joinGroups returns the rows found by name and, unless more of these follow, the others.
func joinGroups(named, others collector) paging.Part[positionedRow] {
	if named.full {
		return paging.Part[positionedRow]{Rows: named.list, More: true}
	}
	return paging.Part[positionedRow]{Rows: append(named.list, others.list...), More: others.full}
}

// isPresent reports whether the row has been read.
func isPresent(r Row) bool { return r.ID != "" }

func (m matcher) passesFilter(r Row) bool { return m.classifyRow(r) != noHit }

// pageEnd returns how many rows of the list a page takes.
func (l positionedRows) pageEnd(limit int, shown func(Row) bool) int {
	return paging.End(l, limit, func(one positionedRow) (int64, bool) { return one.position, shown(one.Row) })
}

// cutPage returns the first page of the list. more says that rows of other ranks follow the
// list.
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
