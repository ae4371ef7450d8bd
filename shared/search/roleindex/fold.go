package roleindex

import "maps"

// maxFolded bounds the roles of a segment of changes, so that no change waits long for a fold.
const maxFolded = 1 << 15

// foldChanges merges the last segments into one where they are small, without what is superseded. Searches
// are slower for each segment: each one of changes shows more than twice as many roles as the next one, or
// both are large, so there are few, and each change is merged few times.
func (v *View) foldChanges() *View {
	kept := v.countKept()
	if kept >= len(v.segments)-1 {
		return v
	}
	folded := new(View).addSegments(v.segments[kept:])
	out := *v
	out.segments = v.segments[:kept]
	out.size = v.segments[kept].start
	return out.addSegment(openWritten(folded.Compact()))
}

// countKept returns the number of segments to keep below a fold: only those of the base if most of the changes
// are superseded.
func (v *View) countKept() int {
	shown := make([]int, len(v.segments))
	var all, allShown int
	for i, s := range v.segments[v.base:] {
		shown[v.base+i] = s.live.count()
		all += s.n
		allShown += shown[v.base+i]
	}
	if all > 2*allShown {
		return v.base
	}
	kept := len(v.segments) - 1
	n := shown[kept]
	for kept > v.base && shown[kept-1] <= min(2*n, maxFolded-n) {
		kept--
		n += shown[kept]
	}
	return kept
}

// Rebase returns the view with its changes on another base: roles that changed are shown as the changes
// have them, except for the dropped ones.
func (v *View) Rebase(base *View, dropped []string) *View {
	changes := new(View).addSegments(v.segments[v.base:])
	changes.deleted = maps.Clone(v.deleted)
	var places []place
	for _, id := range dropped {
		delete(changes.deleted, id)
		if at, ok := changes.findRole(id); ok {
			places = append(places, at)
		}
	}
	changes = changes.without(places)
	out := base.without(base.findChangedBy(changes)).addSegments(changes.segments)
	out.deleted = changes.deleted
	return out
}

// findChangedBy returns the places of the roles that other shows or has deleted.
func (v *View) findChangedBy(other *View) (places []place) {
	for _, s := range other.segments {
		for i := range s.live.membersFrom(0) {
			if at, ok := v.findRole(string(s.ids.at(i))); ok {
				places = append(places, at)
			}
		}
	}
	for id := range other.deleted {
		if at, ok := v.findRole(id); ok {
			places = append(places, at)
		}
	}
	return places
}

func (v *View) addSegments(segments []*segment) *View {
	out := v
	for _, s := range segments {
		out = out.addSegment(*s)
	}
	return out
}
