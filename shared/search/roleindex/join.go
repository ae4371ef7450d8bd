package roleindex

import "sync"

// joinedTerms holds the terms of several segments in one sorted list, so that a word is compared
// with each term once.
type joinedTerms struct {
	terms termList
	// starts holds, for each segment, the number of its terms that sort before each joined term,
	// followed by the number of all its terms: the joined terms [low, high) are the segment's terms
	// [starts[low], starts[high]).
	starts [][]uint32
}

// Join returns a view of several indexes that have no role in common. The view finds what a view of
// one index of all their roles would find.
func Join(indexes ...*Index) *View {
	v := &View{}
	for _, ix := range indexes {
		v = v.addSegment(ix.wholeSegment())
	}
	v.base = len(indexes)
	if len(indexes) > 1 {
		view := v
		for kind := range textKinds {
			v.joined[kind] = sync.OnceValue(func() *joinedTerms { return view.joinTerms(kind.lexiconOf) })
		}
		v.joined[searchedText]() // nearly every query needs them
		v.joined[proseText]()
	}
	return v
}

func (v *View) joinTerms(src func(*segment) lexicon) *joinedTerms {
	next := make([]int, len(v.segments))
	joined := newPackedWriter()
	starts := make([][]uint32, len(v.segments))
	for {
		term, ok := v.leastTerm(src, next)
		for i, s := range v.segments {
			starts[i] = append(starts[i], uint32(next[i]))
			if l := src(s); ok && next[i] < l.terms.len() && string(l.terms.at(next[i])) == string(term) {
				next[i]++
			}
		}
		if !ok {
			return &joinedTerms{newTermList(packed{joined.offsets, joined.data}), starts}
		}
		joined.add(string(term))
	}
}
