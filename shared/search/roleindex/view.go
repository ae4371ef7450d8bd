package roleindex

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"sync"
)

// View is an index with changes on top of it. It is immutable and safe for concurrent
// use, and remains valid when other views are made from it.
type View struct {
	segments []*segment
	base     int // the number of segments of the base; those of changes follow
	size     int // words of a set over all segments
	// joined returns the joined terms of the segments of [Join]; nil if there is only one.
	joined [lexiconKinds]func() *joinedTerms
}

// segment is an index of which some documents have been superseded by later segments.
type segment struct {
	*Index
	live  set
	start int // offset of its words in a set over the view
}

// View returns the index without changes.
func (ix *Index) View() *View { return Join(ix) }

// Overlay returns the view with changes merged in: the new documents of roles by their ids, nil for a deleted role.
func (v *View) Overlay(changes map[string]*Doc) *View {
	out := v.without(maps.Keys(changes))
	s := openWritten(Build(changes))
	if s.n == 0 {
		return out
	}
	return out.addSegment(s).foldChanges()
}

// WithRolesFrom returns a view that takes the named roles from other and the rest from v: it shows one
// caller what others may not see. A role that other does not have stays as it is in v. Changes must be
// merged into both views beforehand.
func (v *View) WithRolesFrom(other *View, ids []string) *View {
	var present []string
	shown := map[*segment]set{}
	for _, id := range ids {
		at, ok := other.findRole(id)
		if !ok {
			continue
		}
		present = append(present, id)
		if shown[at.segment] == nil {
			shown[at.segment] = newSet(at.segment.n)
		}
		shown[at.segment].add(at.ordinal)
	}
	out := v.without(slices.Values(present))
	for _, s := range other.segments {
		if live, ok := shown[s]; ok {
			out = out.addSegment(segment{Index: s.Index, live: live})
		}
	}
	return out
}

func openWritten(file []byte) segment {
	ix, err := Open(file)
	if err != nil {
		panic(err) // what writes files and Open disagree: a bug, never data
	}
	return ix.wholeSegment()
}

// wholeSegment returns the index as a segment of which no document is superseded.
func (ix *Index) wholeSegment() segment {
	s := segment{Index: ix, live: newSet(ix.n)}
	for i := range ix.n {
		s.live.add(i)
	}
	return s
}

func (v *View) addSegment(s segment) *View {
	s.start = v.size
	out := *v
	out.segments = append(v.segments[:len(v.segments):len(v.segments)], &s)
	out.size += len(s.live)
	return &out
}

func (v *View) without(ids iter.Seq[string]) *View {
	out := *v
	out.segments = slices.Clone(v.segments)
	for id := range ids {
		at, shown := v.findRole(id)
		if !shown {
			continue
		}
		n := slices.Index(v.segments, at.segment)
		if out.segments[n] == at.segment { // still shared with v
			out.segments[n] = &segment{at.segment.Index, slices.Clone(at.segment.live), at.segment.start}
		}
		out.segments[n].live.remove(at.ordinal)
	}
	return &out
}

func (v *View) findRole(id string) (at hit, shown bool) {
	for _, s := range v.segments {
		if i, ok := s.findOrdinal(id); ok && s.live.has(i) {
			return hit{segment: s, ordinal: i}, true
		}
	}
	return hit{}, false
}

// Segment is a part of a view, for reading its columns role by role. Numbers of roles
// and facets are valid within their own segment only.
type Segment struct {
	segment *segment
	members set
}

// Segments returns the view's parts with the roles that pass the query's text, AnyOf,
// Flags, Investors, Only and Exclude. Its numbers, order and limit do not count.
func (v *View) Segments(q Query) []Segment {
	e := v.newEvaluation(&q)
	defer e.close()
	members := e.findMatches() // not released: the segments keep it
	var out []Segment
	for _, s := range v.segments {
		out = append(out, Segment{s, s.partOf(members)})
	}
	return out
}

// Roles yields the numbers of the segment's matching roles in Browse order.
func (s Segment) Roles() iter.Seq[int] { return s.members.membersFrom(0) }

// Row returns a role's id and order key.
func (s Segment) Row(role int) Row { return s.segment.rowAt(role) }

// PostedHour returns when a role was posted, in hours since 1970; 0 is unknown.
func (s Segment) PostedHour(role int) int { return int(hourOfKey(s.segment.keys.u64(role))) }

// Figures returns a role's numbers.
func (s Segment) Figures(role int) Figures {
	return decodeFigures(s.segment.figures[figureBytes*role:])
}

// Facets returns the numbers of a role's facets, ascending: locations, role types and
// so on, in the order of Field.
func (s Segment) Facets(role int) Facets { return Facets(s.segment.forward.at(role)) }

// FacetCount returns the number of facets. They are numbered from 0; numbers above
// 65,535 are in no role's list.
func (s Segment) FacetCount() int { return s.segment.lexicons[facetValues].terms.len() }

// FacetNumber returns the number of a value. If no role has it, ok is false and number
// is where it would be.
func (s Segment) FacetNumber(f Field, value string) (number int, ok bool) {
	return s.segment.lexicons[facetValues].terms.find(string(f.term(value)))
}

// joinedTerms holds the terms of several segments sorted, each once, so that a word is compared with it once.
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
			return &joinedTerms{newTermList(joined), starts}
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
