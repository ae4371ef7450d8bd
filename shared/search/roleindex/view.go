package roleindex

import (
	"iter"
	"maps"
	"slices"
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
