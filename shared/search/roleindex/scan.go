package roleindex

import "iter"

// Segment is a part of a view, for reading its columns role by role. Numbers of
// roles and facets hold within their own segment only.
type Segment struct {
	segment *segment
	members set
}

// Segments gives the view's parts and, in them, the roles that pass the query's
// text, picked values, flags, investors and ids. Its numbers, order and limit do not count.
func (v *View) Segments(q Query) []Segment {
	e := v.newEvaluation(&q)
	defer e.close()
	members := e.findMatches() // not given back: the segments keep it
	var out []Segment
	for i := range v.segments {
		out = append(out, Segment{&v.segments[i], v.segments[i].partOf(members)})
	}
	return out
}

// Roles yields the numbers of the segment's selected roles in Browse order.
func (s Segment) Roles() iter.Seq[int] { return s.members.membersFrom(0) }

// Row gives a role's id, version and order key.
func (s Segment) Row(role int) Row { return s.segment.rowAt(role) }

// Key is a role's order key.
func (s Segment) Key(role int) uint64 { return s.segment.keys.u64(role) }

// PostedHour is when a role was posted, in hours since 1970; 0 unknown.
func (s Segment) PostedHour(role int) int { return int(hourOfKey(s.segment.keys.u64(role))) }

// Figures are a role's numbers.
func (s Segment) Figures(role int) Figures { return s.segment.figuresAt(role) }

// Facets lists the numbers of a role's facets, ascending: locations, role types
// and so on, in the order of Field.
func (s Segment) Facets(role int) Facets { return Facets(s.segment.forward.at(role)) }

// FacetCount is the number of facets; their numbers are 0 … FacetCount−1, of
// which those above 65,535 stand in no role's list.
func (s Segment) FacetCount() int { return s.segment.facets.terms.len() }

// Facet tells what a number stands for.
func (s Segment) Facet(number int) (f Field, value string) {
	term := s.segment.facets.terms.at(number)
	if len(term) == 0 {
		return 0, ""
	}
	return Field(term[0]), string(term[1:])
}

// FacetNumber finds the number of a value; ok is false where no role has it.
func (s Segment) FacetNumber(f Field, value string) (number int, ok bool) {
	return s.segment.facets.terms.find(string(f.appendTerm(nil, value)))
}

// Facets is a list of facet numbers, read in place.
type Facets []byte

// Len is the length of the list.
func (f Facets) Len() int { return len(f) / 2 }

// At gives a number.
func (f Facets) At(i int) int { return column(f).u16(i) }
