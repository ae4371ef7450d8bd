package roleindex

import "sync"

// evaluation evaluates one query over a view. Its sets cover all segments.
type evaluation struct {
	view      *View
	query     *Query
	words     []Word
	plan      *Plan // nil for the view's own
	own       Plan  // the view's own
	spareSets []set // sets that are free to use
	walk      termWalk
}

// scratch reuses evaluations, because their sets are most of a query's allocations.
var scratch = sync.Pool{New: func() any { return new(evaluation) }}

func (v *View) newEvaluation(q *Query) *evaluation {
	e := scratch.Get().(*evaluation)
	e.view = v
	e.query = q
	e.words = ParseWords(q.Text)
	e.own.Typos = map[Word]int{}
	return e
}

func (e *evaluation) close() {
	*e = evaluation{spareSets: e.spareSets}
	scratch.Put(e)
}

// takeSet returns an empty set, for releaseSets to take back.
func (e *evaluation) takeSet() set {
	var s set
	if n := len(e.spareSets); n > 0 {
		s = e.spareSets[n-1]
		e.spareSets = e.spareSets[:n-1]
	}
	if cap(s) < e.view.size { // one that a smaller view left behind
		return make(set, e.view.size)
	}
	s = s[:e.view.size]
	clear(s)
	return s
}

func (e *evaluation) releaseSets(sets ...set) { e.spareSets = append(e.spareSets, sets...) }

func (s *segment) partOf(of set) set { return of[s.start : s.start+len(s.live)] }

// findMatches returns the documents that pass the query's text and set filters. Its
// filters on numbers are checked as rows are read; a stage of the text counts only if a
// document that passes them matches it.
func (e *evaluation) findMatches() set {
	base := e.applySetFilters()
	if e.query.Text != "" && len(e.words) == 0 {
		clear(base)
	}
	if len(e.words) == 0 || base.empty() {
		return base
	}
	plain := make([]set, len(e.words))
	for i, w := range e.words {
		plain[i] = e.matchWord(w)
	}
	defer func() { e.releaseSets(plain...) }()
	for stage := range Stages {
		if e.plan != nil && stage != e.plan.Stage {
			continue
		}
		e.widen(stage, plain)
		s := e.takeSet()
		copy(s, base)
		for _, p := range plain {
			s.and(p)
		}
		if e.hasAny(s) {
			e.releaseSets(base)
			e.own.Stage = stage
			return s
		}
		base.andNot(s) // their numbers failed, and would again
		e.releaseSets(s)
	}
	clear(base)
	return base
}

// widen adds to each word's documents, which have it as it is, those with which a stage matches it.
func (e *evaluation) widen(stage Stage, sets []set) {
	for i, w := range e.words {
		switch stage {
		case JoinedAndSplit: // with a neighbour, for both of them, or in two halves, if both match
			e.addSplitMatches(searchedText, w, sets[i])
			if i > 0 {
				joined := e.matchWord(e.words[i-1].join(w))
				sets[i-1].or(joined)
				sets[i].or(joined)
				e.releaseSets(joined)
			}
		case InProse: // descriptions count like the other fields
			e.releaseSets(sets[i])
			w.Prose = true
			sets[i] = e.matchWord(w)
		}
	}
}

// matchWord returns the documents with a term that matches the word with the fewest typos with which
// any document matches, and notes these typos in e.own; −1 if none does.
func (e *evaluation) matchWord(w Word) set {
	s := e.takeSet()
	least := 0
	most := w.Typos
	if e.plan != nil {
		most = e.plan.Typos[w]
		least = max(most, 0)
	}
	for typos := least; typos <= most; typos++ {
		e.addMatches(searchedText, w, typos, s)
		if w.Prose {
			e.addMatches(proseText, w, typos, s)
		}
		for _, seg := range e.view.segments {
			seg.partOf(s).and(seg.live)
		}
		if !s.empty() {
			e.own.Typos[w] = typos
			return s
		}
	}
	e.own.Typos[w] = -1
	return s
}

func (e *evaluation) addMatches(kind lexiconKind, w Word, typos int, s set) {
	segments := e.view.segments
	if join := e.view.joined[kind]; join != nil {
		joined := join()
		together := segments[:len(joined.starts)]
		e.findTerms(joined.terms, w, typos, func(low, high int) {
			for i, starts := range joined.starts {
				seg := together[i]
				seg.lexicons[kind].addDocs(seg.partOf(s), seg.n, int(starts[low]), int(starts[high]))
			}
		})
		segments = segments[len(together):]
	}
	for _, seg := range segments {
		l := seg.lexicons[kind]
		passing := seg.partOf(s)
		e.findTerms(l.terms, w, typos, func(low, high int) { l.addDocs(passing, seg.n, low, high) })
	}
}

func (e *evaluation) findTerms(terms termList, w Word, typos int, found func(low, high int)) {
	switch {
	case typos == 0:
		found(terms.rangeOf(w.Text, w.Last))
	case terms.len() > 0:
		e.walk.terms = terms
		e.walk.word = []rune(w.Text)
		e.walk.typos = typos
		e.walk.prefix = w.Last
		e.walk.found = found
		e.walk.visitAll()
	}
}

// addSplitMatches adds the documents that have both halves of any split of the word among the terms of the kind.
func (e *evaluation) addSplitMatches(kind lexiconKind, w Word, s set) {
	first := e.takeSet()
	second := e.takeSet()
	defer e.releaseSets(first, second)
	for head, tail := range w.Splits() {
		for _, seg := range e.view.segments {
			l := seg.lexicons[kind]
			a, aEnd := l.terms.rangeOf(head, false)
			b, bEnd := l.terms.rangeOf(tail, w.Last)
			if a == aEnd || b == bEnd {
				continue
			}
			p := seg.partOf(first)
			q := seg.partOf(second)
			clear(p)
			clear(q)
			l.addDocs(p, seg.n, a, aEnd)
			l.addDocs(q, seg.n, b, bEnd)
			p.and(q)
			seg.partOf(s).or(p)
		}
	}
}
