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
