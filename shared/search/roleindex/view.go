package roleindex

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// View is an index with what changed on top of it. It is immutable and safe for
// concurrent use, and remains valid when others are made from it.
type View struct {
	segments  []segment
	size      int              // words of a set over all segments
	deletedAt map[string]int64 // versions at which roles were deleted
}

// segment is an index of which some documents have been superseded by later segments.
type segment struct {
	*Index
	live  set
	start int // where its words stand in a set over the view

	// lateProse indexes the descriptions when they are first asked for, which is most
	// of the work and seldom needed; nil where the file has them.
	lateProse func() lexicon
}

// proseLexicon is the lexicon of the descriptions.
func (s *segment) proseLexicon() lexicon {
	if s.lateProse != nil {
		return s.lateProse()
	}
	return s.prose
}

// View shows the index alone.
func (ix *Index) View() *View {
	live := newSet(ix.n)
	live.fill(ix.n)
	return (&View{}).addSegment(segment{Index: ix, live: live})
}

// Overlay shows the base with changes merged in, in any order and however often
// repeated: of each role the highest version counts, a deletion included, and
// one that the base has already is passed over.
func Overlay(base *Index, deltas []Delta) *View { return base.View().Overlay(deltas) }

// Overlay merges further changes. Every call adds a segment to search: after
// many, start again from the base with all changes, or Compact.
func (v *View) Overlay(deltas []Delta) *View {
	latest := make(map[string]Delta, len(deltas))
	for _, d := range deltas {
		if known, ok := latest[d.Doc.ID]; (!ok || d.Doc.Version > known.Doc.Version) && d.Doc.Version > v.knownVersion(d.Doc.ID) {
			latest[d.Doc.ID] = d
		}
	}
	out, docs := v.withoutRoles(maps.Keys(latest)), []Doc(nil)
	out.deletedAt = maps.Clone(v.deletedAt)
	for id, d := range latest {
		if d.Deleted {
			out.recordDeletion(id, d.Doc.Version)
		} else {
			docs = append(docs, d.Doc)
		}
	}
	return out.withDocs(docs)
}

// WithRolesFrom shows these roles as another view has them, whatever their versions, and
// the rest as this one does: what one caller sees otherwise than others. What the
// other view does not have stays as it is. It comes last: changes are merged into
// both before.
func (v *View) WithRolesFrom(other *View, ids []string) *View {
	there := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, _, ok := other.findRole(id); return !ok })
	if len(there) == 0 {
		return v
	}
	out := v.withoutRoles(slices.Values(there))
	for _, s := range other.segments {
		shown := newSet(s.n)
		for _, id := range there {
			if i, ok := s.findOrdinal(id); ok && s.live.has(i) {
				shown.add(i)
			}
		}
		if !shown.empty() {
			s.live = shown
			out = out.addSegment(s)
		}
	}
	return out
}

func (v *View) recordDeletion(id string, version int64) {
	if v.deletedAt == nil {
		v.deletedAt = map[string]int64{}
	}
	v.deletedAt[id] = version
}

// withDocs adds documents as a segment.
func (v *View) withDocs(docs []Doc) *View {
	if len(docs) == 0 {
		return v
	}
	w, rows := newIndexWriter(), latestVersions(docs)
	for _, d := range rows {
		w.addDoc(d)
	}
	ix, err := Open(w.encodeFile())
	if err != nil {
		panic(err) // writer and Open disagree: a bug, never data
	}
	s := ix.View().segments[0]
	s.lateProse = sync.OnceValue(func() lexicon { return indexProse(rows) })
	return v.addSegment(s)
}

// indexProse indexes the descriptions of documents in Browse order.
func indexProse(rows []keyedDoc) lexicon {
	w := newIndexWriter()
	for i, d := range rows {
		w.addWords(w.prose, d.searchedProse(), i)
	}
	return newLexicon(w.prose.encodeSections(len(rows)))
}

func (v *View) addSegment(s segment) *View {
	s.start = v.size
	segments := append(v.segments[:len(v.segments):len(v.segments)], s)
	return &View{segments: segments, size: v.size + len(s.live), deletedAt: v.deletedAt}
}

// withoutRoles is the view in which these ids are superseded.
func (v *View) withoutRoles(ids iter.Seq[string]) *View {
	out := &View{size: v.size, deletedAt: v.deletedAt}
	out.segments = slices.Clone(v.segments)
	copied := make([]bool, len(v.segments))
	for id := range ids {
		if s, i, ok := out.findRole(id); ok {
			if !copied[s] {
				out.segments[s].live, copied[s] = slices.Clone(out.segments[s].live), true
			}
			out.segments[s].live.remove(i)
		}
	}
	return out
}

// findRole gives the segment and ordinal of a role that is there.
func (v *View) findRole(id string) (s, ordinal int, ok bool) {
	for s := range v.segments {
		if i, ok := v.segments[s].findOrdinal(id); ok && v.segments[s].live.has(i) {
			return s, i, true
		}
	}
	return 0, 0, false
}

// knownVersion is the version that the view knows of a role, dead or alive; −1 if none.
func (v *View) knownVersion(id string) int64 {
	if s, i, ok := v.findRole(id); ok {
		return int64(v.segments[s].versions.u32(i))
	}
	if version, ok := v.deletedAt[id]; ok {
		return version
	}
	return -1
}

// Get finds a role's row; ok is false where the view has none.
func (v *View) Get(id string) (row Row, ok bool) {
	s, i, ok := v.findRole(id)
	if !ok {
		return Row{}, false
	}
	return v.segments[s].rowAt(i), true
}

// Len is the number of roles.
func (v *View) Len() int {
	n := 0
	for _, s := range v.segments {
		n += s.live.count()
	}
	return n
}
