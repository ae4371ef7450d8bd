package roleindex

import (
	"bytes"
	"iter"
	"slices"
	"sync"
)

// joinedTerms holds the terms of several segments sorted, each once, so that a word is compared with it once.
type joinedTerms struct {
	terms packed
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
		for kind := range lexiconKinds {
			v.joined[kind] = sync.OnceValue(func() *joinedTerms { return view.joinTerms(kind) })
		}
		v.joined[searchedText]() // nearly every query needs them
		v.joined[proseText]()
	}
	return v
}

func (v *View) joinTerms(kind lexiconKind) *joinedTerms {
	next := make([]int, len(v.segments))
	joined := newPacked()
	starts := make([][]uint32, len(v.segments))
	for {
		term, ok := v.leastTerm(kind, next)
		for i, s := range v.segments {
			starts[i] = append(starts[i], uint32(next[i]))
			if terms := s.lexicons[kind].terms; ok && next[i] < terms.len() && bytes.Equal(terms.at(next[i]), term) {
				next[i]++
			}
		}
		if !ok {
			return &joinedTerms{joined, starts}
		}
		joined.add(string(term))
	}
}

// Compact returns what the view shows as one file, with the bytes that [Build] would
// return for the same documents. It needs no documents.
func (v *View) Compact() []byte {
	w := newIndexWriter()
	var hits []hit
	moved := map[*segment][]int{} // the new ordinals
	for _, s := range v.segments {
		moved[s] = make([]int, s.n)
		for ordinal := range s.live.membersFrom(0) {
			hits = append(hits, hit{segment: s, ordinal: ordinal, key: s.keys.u64(ordinal)})
		}
	}
	slices.SortFunc(hits, hit.compareBrowse)
	for _, h := range hits {
		s := h.segment
		o := h.ordinal
		moved[s][o] = w.n
		w.addRow(s.ids.at(o), h.key, s.updated.u64(o))
		w.figures = append(w.figures, s.figures[figureBytes*o:figureBytes*(o+1)]...)
	}
	for kind := range lexiconKinds {
		v.copyLexicon(w.lists[kind], kind, moved)
	}
	return w.encodeFile()
}

func (v *View) copyLexicon(dst *lexiconWriter, kind lexiconKind, moved map[*segment][]int) {
	next := make([]int, len(v.segments))
	scratch := make(set, v.size)
	merged := make(set, v.size)
	for {
		term, ok := v.leastTerm(kind, next)
		if !ok {
			return
		}
		clear(merged)
		for i, s := range v.segments {
			l := s.lexicons[kind]
			if next[i] == l.terms.len() || !bytes.Equal(l.terms.at(next[i]), term) {
				continue
			}
			having := s.partOf(scratch)
			clear(having)
			l.addDocs(having, s.n, next[i], next[i]+1)
			having.and(s.live)
			to := moved[s]
			for ordinal := range having.membersFrom(0) {
				merged.add(to[ordinal])
			}
			next[i]++
		}
		list := postingList{term: string(term)}
		for ordinal := range merged.membersFrom(0) {
			list.add(ordinal)
		}
		if list.next > 0 {
			dst.lists = append(dst.lists, list)
		}
	}
}

// leastTerm returns the least of the segments' next terms; ok is false at their end.
func (v *View) leastTerm(kind lexiconKind, next []int) (term []byte, ok bool) {
	for i, s := range v.segments {
		if terms := s.lexicons[kind].terms; next[i] < terms.len() {
			if t := terms.at(next[i]); !ok || bytes.Compare(t, term) < 0 {
				term = t
				ok = true
			}
		}
	}
	return term, ok
}

// maxFolded bounds the roles of a segment of changes, so that no change waits long for a fold.
const maxFolded = 1 << 15

// foldChanges merges the last segments into one where they are small, without what is superseded. Searches
// are slower for each segment: each one of changes shows more than twice as many roles as the next one, or
// both are large, so there are few, and each change is merged few times.
func (v *View) foldChanges() *View {
	shown := make([]int, len(v.segments))
	var all, allShown int
	for i, s := range v.segments[v.base:] {
		shown[v.base+i] = s.live.count()
		all += s.n
		allShown += shown[v.base+i]
	}
	kept := len(v.segments) - 1 // the number of segments below the fold
	n := shown[kept]
	for kept > v.base && shown[kept-1] <= min(2*n, maxFolded-n) {
		kept--
		n += shown[kept]
	}
	if all > 2*allShown { // most of the changes are superseded
		kept = v.base
	}
	if kept >= len(v.segments)-1 {
		return v
	}
	folded := new(View).addSegments(v.segments[kept:])
	out := *v
	out.segments = v.segments[:kept]
	out.size = v.segments[kept].start
	return out.addSegment(openWritten(folded.Compact()))
}

// Rebase returns the view with its changes on another base. The view's changes are those of the changed roles,
// which are shown as the changes have them, deleted ones not at all, and those of the dropped ones, which are
// shown as the other base has them.
func (v *View) Rebase(base *View, changed iter.Seq[string], dropped []string) *View {
	changes := new(View).addSegments(v.segments[v.base:]).without(slices.Values(dropped))
	return base.without(changed).addSegments(changes.segments)
}

func (v *View) addSegments(segments []*segment) *View {
	out := v
	for _, s := range segments {
		out = out.addSegment(*s)
	}
	return out
}
