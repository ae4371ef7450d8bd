package roleindex

import (
	"sync"
)

// evaluation works out one query over a view. Its sets cover all segments.
type evaluation struct {
	view  *View
	query *Query
	words []word

	spare []set // sets that are free to use
	walk  walk
}

// scratch keeps evaluations, whose sets are most of what a query would allocate.
var scratch = sync.Pool{New: func() any { return new(evaluation) }}

func (v *View) evaluate(q *Query) *evaluation {
	e := scratch.Get().(*evaluation)
	e.view, e.query, e.words = v, q, parse(q.Text)
	return e
}

func (e *evaluation) close() {
	e.view, e.query, e.words, e.walk = nil, nil, nil, walk{}
	scratch.Put(e)
}

// take gives an empty set, to be given back.
func (e *evaluation) take() set {
	var s set
	if n := len(e.spare); n > 0 {
		s, e.spare = e.spare[n-1], e.spare[:n-1]
	}
	if cap(s) < e.view.size { // one that a smaller view left behind
		return make(set, e.view.size)
	}
	s = s[:e.view.size]
	clear(s)
	return s
}

func (e *evaluation) give(sets ...set) { e.spare = append(e.spare, sets...) }

// part is the segment's share of a set.
func (s *segment) part(of set) set { return of[s.start : s.start+len(s.live)] }

// matches gives the documents that the query's text and sets select; what is
// left to its numbers is checked as rows are read.
func (e *evaluation) matches() set {
	base := e.filtered()
	if len(e.words) == 0 || base.empty() {
		return base
	}
	plain := make([]set, len(e.words))
	for i, w := range e.words {
		plain[i] = e.word(w, false)
	}
	defer func() { e.give(plain...) }()
	for _, stage := range []func([]set){e.asWritten, e.joinedAndSplit, e.inProse} {
		stage(plain)
		s := e.take()
		copy(s, base)
		for _, p := range plain {
			s.and(p)
		}
		if e.any(s) {
			e.give(base)
			return s
		}
		base.andNot(s) // their numbers failed, and would again
		e.give(s)
	}
	clear(base)
	return base
}

// asWritten is the first attempt: the words as they are.
func (e *evaluation) asWritten([]set) {}

// joinedAndSplit lets a word also be matched joined with a neighbour, which then
// counts for both, or split in two, both of which must be there.
func (e *evaluation) joinedAndSplit(sets []set) {
	for i, w := range e.words {
		e.orSplits(sets[i], w)
		if i == 0 {
			continue
		}
		joined := e.word(newWord(cut(e.words[i-1].text+w.text, maxWordBytes), w.last), false)
		sets[i-1].or(joined)
		sets[i].or(joined)
		e.give(joined)
	}
}

// inProse is the last resort: descriptions count like the other fields.
func (e *evaluation) inProse(sets []set) {
	for i, w := range e.words {
		e.give(sets[i])
		sets[i] = e.word(w, true)
	}
}

// word gives the documents with a term that matches the word at the lowest number of
// typos at which any document does.
func (e *evaluation) word(w word, prose bool) set {
	s := e.take()
	for typos := 0; typos <= w.typos; typos++ {
		for i := range e.view.segments {
			seg := &e.view.segments[i]
			e.terms(seg, seg.words, w, typos, seg.part(s))
			if prose {
				e.terms(seg, seg.described(), w, typos, seg.part(s))
			}
			seg.part(s).and(seg.live)
		}
		if !s.empty() {
			break
		}
	}
	return s
}

// terms adds the documents with a term of the lexicon within that many typos.
func (e *evaluation) terms(seg *segment, l lexicon, w word, typos int, s set) {
	if typos == 0 {
		low, high := l.literal(w.text, w.last)
		l.union(s, seg.n, low, high)
		return
	}
	if l.terms.len() == 0 {
		return
	}
	e.walk.terms, e.walk.word, e.walk.typos, e.walk.prefix = l.terms, w.letter, typos, w.last
	e.walk.found = func(low, high int) { l.union(s, seg.n, low, high) }
	e.walk.run()
}

// literal is the range of terms that equal a word, or begin with it.
func (l lexicon) literal(word string, prefix bool) (low, high int) {
	if prefix {
		return l.terms.prefixed(word)
	}
	at, found := l.terms.search(word)
	if !found {
		return at, at
	}
	return at, at + 1
}

// minSplit is the least letters of either half of a split word.
const minSplit = 2

// orSplits adds the documents that have both halves of the word, however it is
// split, without typos.
func (e *evaluation) orSplits(s set, w word) {
	first, second := e.take(), e.take()
	defer e.give(first, second)
	for n := minSplit; n <= len(w.letter)-minSplit; n++ {
		head, tail := string(w.letter[:n]), string(w.letter[n:])
		for i := range e.view.segments {
			seg := &e.view.segments[i]
			a, aEnd := seg.words.literal(head, false)
			b, bEnd := seg.words.literal(tail, w.last)
			if a == aEnd || b == bEnd {
				continue
			}
			p, q := seg.part(first), seg.part(second)
			clear(p)
			clear(q)
			seg.words.union(p, seg.n, a, aEnd)
			seg.words.union(q, seg.n, b, bEnd)
			p.and(q)
			seg.part(s).or(p)
		}
	}
}
