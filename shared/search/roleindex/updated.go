package roleindex

// newestHits returns the first n documents of the set after the query's position, the
// newest update first. The index is in Browse order, so it scans all and keeps the best n.
func (e *evaluation) newestHits(s set, n int) []hit {
	bounds := e.offeredBounds()
	after := e.query.AfterUpdated
	var afterID []byte
	if after != nil {
		afterID = packID(nil, after.ID)
	}
	top := newTopHits(n, hit.compareUpdated)
	for _, seg := range e.view.segments {
		for ordinal := range seg.partOf(s).membersFrom(0) {
			h := hit{segment: seg, ordinal: ordinal, key: seg.updated.u64(ordinal)} // the key is the time of the update here
			if top.isBehind(h) {
				continue
			}
			isAfter := after == nil || compareRows(uint64(after.UpdatedAt), h.key, h.packedID(), afterID) > 0
			if isAfter && bounds.acceptsDoc(seg.Index, ordinal) {
				top.add(h)
			}
		}
	}
	return top.hits
}

func (a hit) compareUpdated(b hit) int { return compareRows(b.key, a.key, a.packedID(), b.packedID()) }
