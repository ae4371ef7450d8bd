package roleindex

// newestHits returns the first n documents of the set after the query's position, the
// newest update first. The index is in Browse order, so it scans all and keeps the best n.
func (e *evaluation) newestHits(s set, n int) []hit {
	bounds := e.offeredBounds()
	after := e.query.AfterUpdated
	top := newTopHits(n, hit.compareUpdated)
	for _, seg := range e.view.segments {
		for ordinal := range seg.partOf(s).membersFrom(0) {
			h := hit{segment: seg, ordinal: ordinal, key: seg.updated.u64(ordinal)} // the key is the time of the update here
			if top.isBehind(h) {
				continue
			}
			isAfter := after == nil || h.isAfter(*after)
			if isAfter && bounds.acceptsDoc(seg.Index, ordinal) {
				top.add(h)
			}
		}
	}
	return top.hits
}

// isAfter reports whether a hit whose key is the time of its update comes after a position.
func (a hit) isAfter(p Position) bool {
	updated := uint64(p.UpdatedAt)
	return a.key < updated || a.key == updated && string(a.id()) > p.ID
}

func (a hit) compareUpdated(b hit) int { return compareRows(b.key, a.key, a.id(), b.id()) }
