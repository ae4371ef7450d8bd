package roleindex

import "iter"

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
func (s Segment) Figures(role int) Figures { return s.segment.figuresAt(role) }

// Facets returns the numbers of a role's facets, ascending: locations, role types and
// so on, in the order of Field.
func (s Segment) Facets(role int) Facets { return Facets(s.segment.forward.at(role)) }

// FacetCount returns the number of facets. They are numbered from 0; numbers above
// 65,535 are in no role's list.
func (s Segment) FacetCount() int { return s.segment.lexicons[facetValues].terms.len() }

// FacetNumber returns the number of a value. If no role has it, ok is false and number
// is where it would be.
func (s Segment) FacetNumber(f Field, value string) (number int, ok bool) {
	return s.segment.lexicons[facetValues].terms.find(string(f.appendTerm(nil, value)))
}
