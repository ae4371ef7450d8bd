package crm

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Filter selects candidates of a recruiter. The zero value selects all.
type Filter struct {
	// Query are words that must all be found in name, headline, location or employers, each as a word or the beginning of
	// one, in any spelling that folds to the same (package text). The first ten count. Without a letter or digit it selects none.
	Query string
	// Tags and Statuses select candidates that have any of them; if empty, all.
	Tags, Statuses []string
}

// matcher is a filter with its query split into words.
type matcher struct {
	Filter
	words []string
}

// maxWords is how many words of a query count (contract, Limits).
const maxWords = 10

func (f Filter) newMatcher() matcher {
	words := text.Words(f.Query)
	return matcher{f, words[:min(len(words), maxWords)]}
}

// selectsNone reports whether the query has no word that could be found.
func (m matcher) selectsNone() bool { return m.Query != "" && len(m.words) == 0 }

// hitKind says whether a row is selected, and whether its name alone has the words.
type hitKind int

const (
	noHit hitKind = iota
	nameHit
	otherHit
)

func (m matcher) classifyRow(r Row) hitKind {
	switch {
	case len(m.Statuses) > 0 && !slices.Contains(m.Statuses, r.Status):
		return noHit
	case len(m.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(m.Tags, t) }):
		return noHit
	}
	left := missingWords(m.words, r.Name)
	if len(left) == 0 {
		return nameHit
	}
	for _, field := range r.otherFields() {
		left = missingWords(left, field)
		if len(left) == 0 {
			return otherHit
		}
	}
	return noHit
}

// otherFields returns the searched fields other than the name.
func (r Row) otherFields() []string {
	return append([]string{r.OneLiner, r.Location, r.Company}, r.Employers...)
}

// missingWords returns those of words that no word of the field begins with.
func missingWords(words []string, field string) []string {
	if len(words) == 0 || field == "" {
		return words
	}
	in := text.Words(field)
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(in, func(w string) bool { return strings.HasPrefix(w, word) })
	})
}

// maxExamined is how many rows are read for a page by tags or statuses. Such a page is short if few pass.
const maxExamined = 1000

// otherHitOffset is added to the positions of rows not found by their names, to put them after all that were.
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

// readRows reads n rows after a position, without those of an incomplete rank, or all. more reports that others follow.
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

// collectPage returns a page of the rows that pass, those found by name first. It reads none after a full page.
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

// cutPage returns the first page of the list. more says that rows of other ranks follow the list.
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
