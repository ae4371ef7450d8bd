package roleindex

import (
	"maps"
	"slices"
)

// View is an index with changes on top of it. It is immutable and safe for concurrent
// use, and remains valid when other views are made from it.
type View struct {
	segments []*segment
	base     int             // the number of segments of the base; those of changes follow
	size     int             // words of a set over all segments
	deleted  map[string]bool // the roles that changes have deleted, and not created again
	// joined returns the joined terms of the segments of [Join]; nil if there is only one.
	joined [textKinds]func() *joinedTerms
}

// segment is an index of which some documents have been superseded by later segments.
type segment struct {
	*Index
	live  set
	start int // offset of its words in a set over the view
}

// textKind is a part of the texts of roles. Each has a lexicon.
type textKind int

// The kinds.
const (
	searchedText textKind = iota // all that is searched first
	proseText                    // descriptions
	titleText
	companyText // names of companies
	pairText    // pairs of neighbouring words of titles and of names of companies (joinPair)
	textKinds   // their number
)

// lexiconOf returns the lexicon of the kind.
func (k textKind) lexiconOf(s *segment) lexicon { return s.texts[k] }

// View returns the index without changes.
func (ix *Index) View() *View { return Join(ix) }

// Overlay returns the view with changes merged in: the new documents of roles by their ids, nil for a deleted role.
func (v *View) Overlay(changes map[string]*Doc) *View {
	var replaced []place
	var rows []keyedDoc
	deleted := map[string]bool{}
	maps.Copy(deleted, v.deleted)
	for id, d := range changes {
		if at, shown := v.findRole(id); shown {
			replaced = append(replaced, at)
		}
		if d == nil {
			deleted[id] = true
			continue
		}
		delete(deleted, id)
		rows = append(rows, d.withKey())
	}
	out := v.without(replaced)
	out.deleted = deleted
	return out.withDocs(rows)
}

// WithRolesFrom returns a view that takes the named roles from other and the rest from v: it shows one
// caller what others may not see. A role that other does not have stays as it is in v. Changes must be
// merged into both views beforehand.
func (v *View) WithRolesFrom(other *View, ids []string) *View {
	present := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := other.findRole(id); return !ok })
	if len(present) == 0 {
		return v
	}
	var replaced []place
	for _, id := range present {
		if at, ok := v.findRole(id); ok {
			replaced = append(replaced, at)
		}
	}
	out := v.without(replaced)
	for _, s := range other.segments {
		shown := newSet(s.n)
		for _, id := range present {
			if i, ok := s.findOrdinal(id); ok && s.live.has(i) {
				shown.add(i)
			}
		}
		if !shown.empty() {
			out = out.addSegment(segment{Index: s.Index, live: shown})
		}
	}
	return out
}

// withDocs returns the view with documents of different roles as a further segment, which it folds with
// others.
func (v *View) withDocs(rows []keyedDoc) *View {
	if len(rows) == 0 {
		return v
	}
	sortByKey(rows)
	return v.addSegment(openWritten(encodeDocs(rows))).foldChanges()
}

// openWritten returns a file that this package has written as a segment.
func openWritten(file []byte) segment {
	ix, err := Open(file)
	if err != nil {
		panic(err) // what writes files and Open disagree: a bug, never data
	}
	return ix.wholeSegment()
}

// wholeSegment returns the index as a segment of which no document is superseded.
func (ix *Index) wholeSegment() segment {
	live := newSet(ix.n)
	live.fill(ix.n)
	return segment{Index: ix, live: live}
}

func (v *View) addSegment(s segment) *View {
	s.start = v.size
	out := *v
	out.segments = append(v.segments[:len(v.segments):len(v.segments)], &s)
	out.size += len(s.live)
	return &out
}

// place is where a view has a role: the number of a segment and an ordinal.
type place struct{ segment, ordinal int }

// without returns the view without the roles at these places.
func (v *View) without(places []place) *View {
	out := *v
	out.segments = slices.Clone(v.segments)
	for _, at := range places {
		s := out.segments[at.segment]
		if s == v.segments[at.segment] {
			s = &segment{s.Index, slices.Clone(s.live), s.start}
			out.segments[at.segment] = s
		}
		s.live.remove(at.ordinal)
	}
	return &out
}

// findRole returns the place of a role that the view shows.
func (v *View) findRole(id string) (at place, shown bool) {
	for n, s := range v.segments {
		if i, ok := s.findOrdinal(id); ok && s.live.has(i) {
			return place{n, i}, true
		}
	}
	return place{}, false
}
