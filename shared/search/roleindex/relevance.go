package roleindex

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

func (a hit) compareRelevance(b hit) int {
	if a.score != b.score {
		return b.score - a.score
	}
	return a.compareBrowse(b)
}

// bestHits returns the first n documents of the set after the query's position, the best score first.
// It scores every document of the set, up to the one from which on no better one can come.
func (e *evaluation) bestHits(s set, n int) []hit {
	r := e.newRelevance(s)
	defer e.releaseSets(append(r.points, r.adjacent, r.whole)...)
	top := e.newTopHits(n, hit.compareRelevance)
	for _, seg := range e.view.segments {
		for ordinal := range seg.partOf(s).membersFrom(0) {
			i := 64*seg.start + ordinal // among all segments
			score := r.every + AdjacentPoints*r.adjacent.bit(i) + WholePoints*r.whole.bit(i)
			for _, having := range r.points {
				score += having.bit(i)
			}
			h := hit{seg, ordinal, seg.keys.u64(ordinal), score}
			isBehind := RelevanceOrder.Position(Row{Key: h.key, Score: h.score}) > e.query.After && top.offer(h)
			if isBehind && top.hits[n-1].score == r.most && h.compareBrowse(top.hits[n-1]) >= 0 {
				break // all the following documents sort after it too
			}
		}
	}
	return top.hits
}

// relevance holds the sets of a view's documents from which scores are computed.
type relevance struct {
	// adjacent and whole hold the documents with AdjacentPoints and WholePoints.
	adjacent, whole set
	// points holds, for each point of a word, the documents that have it.
	points []set
	// every is what every document has.
	every int
	// most is the highest score that a document can have.
	most int
}

// newRelevance returns how the documents of a set score, which match by the plan given or found.
func (e *evaluation) newRelevance(s set) relevance {
	if e.plan == nil {
		e.plan = &e.own
	}
	isInProse := e.plan.Stage == InProse
	r := relevance{adjacent: e.adjacentSet(), whole: e.takeSet()}
	for i := range e.words {
		if i == len(e.words)-1 {
			e.addWord(i, true, r.whole, searchedText)
			if isInProse {
				e.addWord(i, true, r.whole, proseText)
			}
		}
		inTitle := e.fieldSet(i, titleText, r.whole)
		inCompany := e.fieldSet(i, companyText, r.whole)
		inCompany.or(inTitle)
		r.points = append(r.points, inTitle, inCompany)
		if isInProse {
			inOther := e.fieldSet(i, searchedText, r.whole)
			inOther.or(inCompany)
			r.points = append(r.points, inOther)
		} else {
			r.every += OtherPoints
		}
	}
	r.most = r.every + AdjacentPoints*s.meets(r.adjacent) + WholePoints*s.meets(r.whole)
	for _, having := range r.points {
		r.most += s.meets(having)
	}
	return r
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

// adjacentSet returns the documents with AdjacentPoints.
func (e *evaluation) adjacentSet() set {
	all := e.takeSet()
	for i, pair := range e.plan.Pairs(e.words) {
		if i == 0 {
			e.addMatches(pairText, pair, pair.Typos, all)
			continue
		}
		s := e.takeSet()
		e.addMatches(pairText, pair, pair.Typos, s)
		all.and(s)
		e.releaseSets(s)
	}
	return all
}
