package roleindex

import (
	"slices"
	"sort"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

// Search returns a page of the roles that match the query. A page in BrowseOrder or RelevanceOrder
// ends between two different positions, since a position is the cursor (package paging): it can
// be shorter than the limit, and is longer only where more roles than the limit share one.
func (v *View) Search(q Query) Page {
	e := v.newEvaluation(&q)
	defer e.close()
	s := e.findMatches()
	defer e.releaseSets(s)
	page, _ := q.FindPage(func(n int) ([]Row, error) { return e.rows(s, n), nil })
	return page
}

// FindPage returns the query's page of the matching roles, as [View.Search] does. find returns the first n of
// them after the query's cursor.
func (q *Query) FindPage(find func(n int) ([]Row, error)) (Page, error) {
	limit := q.Limit
	if limit < 1 {
		limit = defaultLimit
	}
	for n := limit + 1; ; n *= 2 {
		rows, err := find(n)
		if err != nil {
			return Page{}, err
		}
		end := min(limit, len(rows))
		if q.Sort != UpdateOrder {
			end = paging.End(rows, limit, func(r Row) (uint64, bool) { return q.Sort.Position(r), true })
		}
		if end < n { // and not the beginning of more equal positions
			return Page{Rows: rows[:end:end], More: end < len(rows)}, nil
		}
	}
}

// FewestTypos returns the fewest typos with which a role of the view has a word, −1 if none has.
func (v *View) FewestTypos(w Word) int {
	e := v.newEvaluation(&Query{})
	defer e.close()
	e.releaseSets(e.matchWord(w))
	return e.own.Typos[w]
}

// SearchBy returns the first n rows after the query's cursor that match by a plan, and
// reports whether any role matches, before the cursor or after it.
func (v *View) SearchBy(q Query, p Plan, n int) (rows []Row, any bool) {
	e := v.newEvaluation(&q)
	defer e.close()
	e.plan = &p
	s := e.findMatches()
	defer e.releaseSets(s)
	return e.rows(s, n), e.hasAny(s)
}

// rows returns the first n rows of the set after the query's cursor.
func (e *evaluation) rows(s set, n int) []Row {
	var hits []hit
	switch e.query.Sort {
	case UpdateOrder:
		hits = e.newestHits(s, n)
	case RelevanceOrder:
		hits = e.bestHits(s, n)
	default:
		hits = e.firstHits(s, e.query.After, n)
	}
	rows := slices.Grow([]Row(nil), len(hits))
	for _, h := range hits {
		row := h.segment.rowAt(h.ordinal)
		row.Score = h.score
		rows = append(rows, row)
	}
	return rows
}

type hit struct {
	segment *segment
	ordinal int
	key     uint64
	score   int
}

func (a hit) id() []byte { return a.segment.ids.at(a.ordinal) }

func (a hit) compareBrowse(b hit) int { return compareRows(a.key, b.key, a.id(), b.id()) }

// topHits are the first n of the hits within the bounds that it was offered.
type topHits struct {
	hits    []hit
	n       int
	compare func(a, b hit) int
	bounds  []Bound
	offered map[string]float64
}

func (e *evaluation) newTopHits(n int, compare func(a, b hit) int) *topHits {
	return &topHits{make([]hit, 0, min(n, defaultLimit+1)+1), n, compare, e.query.Bounds(), e.query.OfferedFees}
}

// offer adds a hit unless it comes behind all n, which it reports.
func (t *topHits) offer(h hit) (isBehind bool) {
	if len(t.hits) == t.n && t.compare(h, t.hits[t.n-1]) >= 0 {
		return true
	}
	if t.acceptsDoc(h.segment.Index, h.ordinal) {
		at, _ := slices.BinarySearchFunc(t.hits, h, t.compare)
		t.hits = slices.Insert(t.hits[:min(len(t.hits), t.n-1)], at, h)
	}
	return false
}

// hasAny reports whether the set has a document with numbers within the bounds.
func (e *evaluation) hasAny(s set) bool { return len(e.firstHits(s, 0, 1)) > 0 }

// firstHits returns the first n documents of the set after a key, in Browse order.
func (e *evaluation) firstHits(s set, after uint64, n int) []hit {
	top := e.newTopHits(n, hit.compareBrowse)
	for _, seg := range e.view.segments {
		first := sort.Search(seg.n, func(i int) bool { return seg.keys.u64(i) > after })
		for ordinal := range seg.partOf(s).membersFrom(first) {
			if top.offer(hit{segment: seg, ordinal: ordinal, key: seg.keys.u64(ordinal)}) {
				break // all the following documents sort after it too
			}
		}
	}
	return top.hits
}

// newestHits returns the first n documents of the set after the query's position, the
// newest update first. The index is in Browse order, so it scans all and keeps the best n.
func (e *evaluation) newestHits(s set, n int) []hit {
	after := e.query.AfterUpdated
	top := e.newTopHits(n, hit.compareUpdated)
	for _, seg := range e.view.segments {
		for ordinal := range seg.partOf(s).membersFrom(0) {
			h := hit{segment: seg, ordinal: ordinal, key: seg.updated.u64(ordinal)} // the key is the time of the update here
			if after == nil || h.isAfter(*after) {
				top.offer(h)
			}
		}
	}
	return top.hits
}

// isAfter reports whether a hit whose key is the time of its update comes after a position.
func (a hit) isAfter(p Position) bool {
	updated := uint64(p.UpdatedAt)
	return a.key < updated || a.key == updated && string(a.id()) > p.ID
}

func (a hit) compareUpdated(b hit) int { return compareRows(b.key, a.key, a.id(), b.id()) }
