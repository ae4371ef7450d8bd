package roleindex

import (
	"slices"
	"sort"

	"github.com/recruiting-marketplace/external-api/shared/api/paging"
)

// The score of a document in RelevanceOrder is the sum of its points. More points of one kind
// cannot make up for a point of a kind above.
const (
	// AdjacentPoints are those of a document with all words of the query as neighbours, in the query's
	// order, in its title or company's name.
	AdjacentPoints = 64
	// WholePoints are those of a document that has the last word of the query as a whole one.
	WholePoints = 32
	// Each word has TitlePoints if the title has it, CompanyPoints if else the name of the company has
	// it, and OtherPoints if else another field than the description has it.
	TitlePoints, CompanyPoints, OtherPoints = 3, 2, 1

	maxScore = AdjacentPoints + WholePoints + maxWords*TitlePoints
)

// A position in RelevanceOrder has, like an order key, 53 bits: how much the score is below the
// highest, and the order key without its last bits. So some roles with equal scores, ranks and hours
// share a position.
const (
	scoreBits   = 7
	droppedBits = scoreBits
	keptBits    = rankBits + hourBits + hashBits - droppedBits
)

// Position returns the cursor after a row. In UpdateOrder it has no meaning.
func (o Order) Position(r Row) uint64 {
	if o == RelevanceOrder {
		return uint64(1+maxScore-r.Score)<<keptBits | r.Key>>droppedBits
	}
	return r.Key
}

// SplitPosition returns the score and the last order key of the rows at a position in RelevanceOrder.
func SplitPosition(position uint64) (score int, lastKey uint64) {
	return 1 + maxScore - int(position>>keptBits), (position&(1<<keptBits-1)+1)<<droppedBits - 1
}

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

func (a hit) compareRelevance(b hit) int {
	if a.score != b.score {
		return b.score - a.score
	}
	return a.compareBrowse(b)
}

// bestHits returns the first n documents of the set after the query's position, the best score first.
// It scores every document of the set, up to the one from which on no better one can come.
func (e *evaluation) bestHits(s set, n int) []hit {
	if e.plan == nil {
		e.plan = &e.own
	}
	isInProse := e.plan.Stage == InProse
	adjacent := e.adjacentSet()
	whole := e.takeSet()
	var points []set // for each point of a word, the documents that have it
	every := 0       // the points that every document has
	for i := range e.words {
		if i == len(e.words)-1 {
			e.addWord(i, true, whole, searchedText)
			if isInProse {
				e.addWord(i, true, whole, proseText)
			}
		}
		inTitle := e.fieldSet(i, titleText, whole)
		inCompany := e.fieldSet(i, companyText, whole)
		inCompany.or(inTitle)
		points = append(points, inTitle, inCompany)
		if isInProse {
			inOther := e.fieldSet(i, searchedText, whole)
			inOther.or(inCompany)
			points = append(points, inOther)
		} else {
			every += OtherPoints
		}
	}
	defer e.releaseSets(append(points, adjacent, whole)...)
	most := every + AdjacentPoints*s.meets(adjacent) + WholePoints*s.meets(whole) // that a document can have
	for _, having := range points {
		most += s.meets(having)
	}
	top := e.newTopHits(n, hit.compareRelevance)
	for _, seg := range e.view.segments {
		for ordinal := range seg.partOf(s).membersFrom(0) {
			i := 64*seg.start + ordinal // among all segments
			score := every + AdjacentPoints*adjacent.bit(i) + WholePoints*whole.bit(i)
			for _, having := range points {
				score += having.bit(i)
			}
			h := hit{seg, ordinal, seg.keys.u64(ordinal), score}
			isBehind := RelevanceOrder.Position(Row{Key: h.key, Score: h.score}) > e.query.After && top.offer(h)
			if isBehind && top.hits[n-1].score == most && h.compareBrowse(top.hits[n-1]) >= 0 {
				break // all the following documents sort after it too
			}
		}
	}
	return top.hits
}

// fieldSet returns the documents in which a word of the query scores as one of a field: those that
// have it there, but of those in whole only if they have it there as a whole word too.
func (e *evaluation) fieldSet(i int, field lexiconKind, whole set) set {
	s := e.takeSet()
	e.addWord(i, false, s, field)
	if i == len(e.words)-1 {
		s.andNot(whole)
		e.addWord(i, true, s, field)
	}
	return s
}

// addWord adds the documents that have a word of the query by the plan, as a whole word if whole is set.
func (e *evaluation) addWord(i int, whole bool, s set, kind lexiconKind) {
	for _, w := range e.plan.Ways(e.words, i, whole) {
		e.addMatches(kind, w, w.Typos, s)
	}
	if e.plan.Stage == JoinedAndSplit {
		w := e.words[i]
		w.Last = w.Last && !whole
		e.addSplitMatches(kind, w, s)
	}
}

func (e *evaluation) adjacentSet() set {
	all := e.takeSet()
	for i, pair := range e.plan.Pairs(e.words) {
		s := e.takeSet()
		e.addMatches(pairText, pair, pair.Typos, s)
		if i > 0 {
			s.and(all)
		}
		e.releaseSets(all)
		all = s
	}
	return all
}
