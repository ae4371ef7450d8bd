package roleindex

import (
	"slices"

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
	limit := q.Limit
	if limit < 1 {
		limit = defaultLimit
	}
	if q.Sort == UpdateOrder {
		return newPage(e.hits(s, limit+1), limit)
	}
	return e.positionedPage(s, limit)
}

// hits returns the first n documents of the set after the query's cursor.
func (e *evaluation) hits(s set, n int) []hit {
	switch e.query.Sort {
	case UpdateOrder:
		return e.newestHits(s, n)
	case RelevanceOrder:
		return e.bestHits(s, n)
	}
	return e.firstHits(s, e.query.After, n)
}

// hit is a matching document.
type hit struct {
	segment *segment
	ordinal int
	key     uint64
	score   int
}

func (a hit) row() Row {
	row := a.segment.rowAt(a.ordinal)
	row.Score = a.score
	return row
}

func (a hit) id() []byte { return a.segment.ids.at(a.ordinal) }

func (a hit) compareBrowse(b hit) int { return compareRows(a.key, b.key, a.id(), b.id()) }

func (e *evaluation) positionedPage(s set, limit int) Page {
	for n := limit + 1; ; n *= 2 {
		hits := e.hits(s, n)
		end := paging.End(hits, limit, func(h hit) (uint64, bool) { return e.query.Sort.position(h.score, h.key), true })
		if end < n { // and not the beginning of more equal positions
			return newPage(hits, end)
		}
	}
}

func newPage(hits []hit, end int) Page {
	p := Page{More: end < len(hits)}
	for _, h := range hits[:min(end, len(hits))] {
		p.Rows = append(p.Rows, h.row())
	}
	return p
}

// topHits are the first n of the hits that it was offered.
type topHits struct {
	hits    []hit
	n       int
	compare func(a, b hit) int
}

func newTopHits(n int, compare func(a, b hit) int) *topHits {
	return &topHits{make([]hit, 0, min(n, defaultLimit+1)+1), n, compare}
}

// isBehind reports whether a hit comes behind all n.
func (t *topHits) isBehind(h hit) bool {
	return len(t.hits) == t.n && t.compare(h, t.hits[t.n-1]) >= 0
}

// add adds a hit that is not behind.
func (t *topHits) add(h hit) {
	at, _ := slices.BinarySearchFunc(t.hits, h, t.compare)
	t.hits = slices.Insert(t.hits[:min(len(t.hits), t.n-1)], at, h)
}

// hasAny reports whether the set has a document with numbers within the bounds.
func (e *evaluation) hasAny(s set) bool { return len(e.firstHits(s, 0, 1)) > 0 }

// firstHits returns the first n documents after a key that are in the set and within the bounds,
// in Browse order.
func (e *evaluation) firstHits(s set, after uint64, n int) []hit {
	bounds := e.offeredBounds()
	top := newTopHits(n, hit.compareBrowse)
	for _, seg := range e.view.segments {
		for ordinal := range seg.partOf(s).membersFrom(seg.firstAfter(after)) {
			h := hit{segment: seg, ordinal: ordinal, key: seg.keys.u64(ordinal)}
			if top.isBehind(h) {
				break // all the following documents sort after it too
			}
			if bounds.acceptsDoc(seg.Index, ordinal) {
				top.add(h)
			}
		}
	}
	return top.hits
}
