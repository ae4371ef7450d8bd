package crm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/api/paging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Row is a candidate as the list shows it. Its JSON names are short: DynamoDB bills a page by its bytes.
type Row struct {
	// ID is in the row's key.
	ID          string   `json:"-"`
	Name        string   `json:"n"`
	LinkedInURL string   `json:"l,omitempty"`
	Location    string   `json:"o,omitempty"`
	OneLiner    string   `json:"h,omitempty"`
	Company     string   `json:"c,omitempty"`
	Title       string   `json:"t,omitempty"`
	Status      string   `json:"s"`
	Furthest    string   `json:"f,omitempty"`
	Tags        []string `json:"g,omitempty"`
	AddedAt     int64    `json:"a"`
	// Employers are the former ones, to search in.
	Employers []string `json:"e,omitempty"`
}

func (c Candidate) newRow(furthest string) Row {
	r := Row{
		ID: c.CandidateID, Name: c.Name, LinkedInURL: optional.Value(c.LinkedInURL), Location: optional.Value(c.Location),
		OneLiner: optional.Value(c.OneLiner), Company: optional.Value(c.CurrentRole.Company), Title: optional.Value(c.CurrentRole.Title),
		Status: c.RelationshipStatus, Furthest: furthest, Tags: c.Tags,
		AddedAt: c.AddedAt.UnixMilli(),
	}
	for _, e := range c.Experiences {
		name := optional.Value(e.Company)
		isFormer := name != "" && name != r.Company
		if isFormer && !slices.Contains(r.Employers, name) {
			r.Employers = append(r.Employers, name)
		}
	}
	return r
}

// listItem returns the row's item in the recruiter's list.
func (r Row) listItem(recruiterID string) entity.Row {
	return entity.RowOf(itemkey.CandidateRow, r, recruiterID, r.listRank().Key(), r.ID)
}

// sortableMillis returns a time in milliseconds as a value of a sort key that sorts by time.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }

func (r *Row) decodeRow(from entity.Item) error {
	*r = Row{ID: from.SK[strings.LastIndexByte(from.SK, '#')+1:]}
	return from.Into(r)
}

func (r Row) listRank() entity.Rank { return entity.RankOf(r.Added(), r.ID) }

// Added returns when the recruiter added the candidate.
func (r Row) Added() time.Time { return time.UnixMilli(r.AddedAt) }

// Filter selects candidates of a recruiter. The zero value selects all.
type Filter struct {
	// Query are words that must all be found in name, headline, location or employers, each as a word or the beginning of
	// one, in any spelling that folds to the same (package text). The first ten count. Without a letter or digit it selects none.
	Query string
	// Tags and Statuses select candidates that have any of them; if empty, all.
	Tags, Statuses []string
}

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

// hitKind says whether a row is selected, and whether its name alone has the words: the group that it is listed in. Its
// numbers are the indexes of collector.groups and the factors of otherHitOffset in positions.
type hitKind int

const (
	noHit hitKind = iota - 1
	nameHit
	otherHit
)

func (m matcher) classifyRow(r Row) hitKind {
	switch {
	case len(m.Statuses) > 0 && !slices.Contains(m.Statuses, r.Status):
		return noHit
	case len(m.Tags) > 0 && !slices.ContainsFunc(r.Tags, func(t string) bool { return slices.Contains(m.Tags, t) }):
		return noHit
	case len(m.words) == 0:
		return nameHit
	}
	name, rest := r.foldWords()
	how := nameHit
	for _, word := range m.words {
		switch {
		case strings.Contains(name, " "+word):
		case strings.Contains(rest, " "+word):
			how = otherHit
		default:
			return noHit
		}
	}
	return how
}

// foldWords returns the words of the name, and those of the other searched fields, each after a space.
func (r Row) foldWords() (name, rest string) {
	words := text.AppendWords(append(make([]byte, 0, 256), ' '), r.Name)
	nameEnd := len(words) - 1
	for _, field := range append([]string{r.OneLiner, r.Location, r.Company}, r.Employers...) {
		words = text.AppendWords(words, field)
	}
	all := string(words)
	return all[:nameEnd], all[nameEnd:]
}

// otherHitOffset is added to the positions of rows not found by their names, to put them after all that were.
const otherHitOffset = int64(entity.MaxRank) + 1

// Page is a part of a recruiter's list.
type Page struct {
	Rows []Row
	// Next is the position after which the next page begins; 0 on the last page.
	Next int64
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
			return nil, false, fmt.Errorf("decode a row: %w", err)
		}
		list[i].position = int64(list[i].listRank())
	}
	return list, more, nil
}

// scanStart returns the rank after which the rows of a page are looked for. Rows not
// found by name may be anywhere in the list, so with a query that is its beginning.
func (m matcher) scanStart(after int64) int64 {
	switch {
	case len(m.words) == 0:
		return after
	case after >= otherHitOffset:
		return after - otherHitOffset
	}
	return 0
}

// maxExamined is how many rows are read for a page by tags or statuses. Such a page is short if few pass.
const maxExamined = 1000

// scanRows returns a page of the rows that pass, those found by name first. With a query it reads rows, about 2,500 in a
// call, until the page is full; if names do not fill it, all rows.
func (s *Store) scanRows(ctx context.Context, recruiterID string, m matcher, after int64, limit int) (Page, error) {
	if len(m.words) == 0 {
		list, more, err := s.readRows(ctx, recruiterID, after, maxExamined)
		for i := range list {
			if m.classifyRow(list[i].Row) == noHit {
				list[i].Row = Row{}
			}
		}
		return list.cutPage(limit, more), err
	}
	c := collector{after: after, limit: limit}
	for found, err := range s.entities.Query(ctx, rowsAfter(recruiterID, m.scanStart(after))) {
		var r Row
		if err == nil {
			err = r.decodeRow(found)
		}
		if err != nil {
			return Page{}, err
		}
		c.add(r, int64(r.listRank()), m.classifyRow(r))
		if c.isFull() {
			break
		}
	}
	return c.page(), nil
}

// collector collects as many rows of a list as a page after a position holds.
type collector struct {
	after int64
	limit int
	// groups are the rows by hitKind; cut says from which of them rows were left out.
	groups [2]positionedRows
	cut    [2]bool
}

// add adds the next row of the list, which has this rank, if it is selected and is after the position.
func (c *collector) add(r Row, rank int64, how hitKind) {
	position := rank + int64(how)*otherHitOffset
	if how == noHit || position <= c.after || c.cut[how] {
		return
	}
	list := append(c.groups[how], positionedRow{r, position})
	end := list.pageEnd(c.limit)
	c.groups[how] = list[:end]
	c.cut[how] = end < len(list)
}

// isFull reports whether no further row of the list is on the page.
func (c *collector) isFull() bool {
	return c.cut[nameHit] || c.cut[otherHit] && c.after >= otherHitOffset
}

// collected returns the rows found by name and, unless more of these follow, the others.
func (c *collector) collected() paging.Part[positionedRow] {
	if c.cut[nameHit] {
		return paging.Part[positionedRow]{Rows: c.groups[nameHit], More: true}
	}
	return paging.Part[positionedRow]{Rows: append(c.groups[nameHit], c.groups[otherHit]...), More: c.cut[otherHit]}
}

func (c *collector) page() Page {
	found := c.collected()
	return positionedRows(found.Rows).cutPage(c.limit, found.More)
}

// pageEnd returns how many rows of the list a page takes. It does not show the empty ones.
func (l positionedRows) pageEnd(limit int) int {
	return paging.End(l, limit, func(one positionedRow) (int64, bool) { return one.position, one.ID != "" })
}

// cutPage returns the first page of the list. more says that rows of other ranks follow the list.
func (l positionedRows) cutPage(limit int, more bool) (p Page) {
	end := l.pageEnd(limit)
	for _, one := range l[:end] {
		if one.ID != "" {
			p.Rows = append(p.Rows, one.Row)
		}
	}
	if end > 0 && (more || end < len(l)) {
		p.Next = l[end-1].position
	}
	return p
}
