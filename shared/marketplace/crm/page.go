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
	c := collector{after: after, limit: limit}
	for r, err := range rows {
		if err != nil {
			return Page{}, err
		}
		c.add(r, int64(r.listRank()), m.classifyRow(r))
		if c.isFull() {
			break
		}
	}
	found := c.collected()
	return positionedRows(found.Rows).cutPage(limit, isPresent, found.More), nil
}

// collector collects as many rows of a list as a page after a position holds.
type collector struct {
	after int64
	limit int
	// groups are the rows that were found by name, and the others; cut says from which of them rows were left out.
	groups [2]positionedRows
	cut    [2]bool
}

// add adds the next row of the list, which has this rank, if it is selected and is after the position.
func (c *collector) add(r Row, rank int64, how hitKind) {
	group := 0
	if how == otherHit {
		group = 1
		rank += otherHitOffset
	}
	isBefore := rank <= c.after
	if how == noHit || isBefore || c.cut[group] {
		return
	}
	list := append(c.groups[group], positionedRow{r, rank})
	end := list.pageEnd(c.limit, isPresent)
	c.groups[group] = list[:end]
	c.cut[group] = end < len(list)
}

// isFull reports whether no further row of the list is on the page.
func (c *collector) isFull() bool { return c.cut[0] || c.cut[1] && c.after >= otherHitOffset }

// collected returns the rows found by name and, unless more of these follow, the others.
func (c *collector) collected() paging.Part[positionedRow] {
	if c.cut[0] {
		return paging.Part[positionedRow]{Rows: c.groups[0], More: true}
	}
	return paging.Part[positionedRow]{Rows: append(c.groups[0], c.groups[1]...), More: c.cut[1]}
}

// isPresent reports whether the row has been read.
func isPresent(r Row) bool { return r.ID != "" }

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
