package catalogue

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// bothDeltas is a role's change in each of the two indexes.
type bothDeltas = [2]roleindex.Delta

// mergeChanges merges the changes of roles, which were found at a time, into the views. c.mu is held.
func (c *Catalogue) mergeChanges(changes map[string]bothDeltas, found time.Time) {
	c.noteLately(maps.Keys(changes), found)
	if len(changes) == 0 {
		return
	}
	for n := range c.views {
		deltas := make([]roleindex.Delta, 0, len(changes))
		for _, both := range changes {
			deltas = append(deltas, both[n])
		}
		c.views[n] = c.views[n].Overlay(deltas)
	}
	for id := range changes {
		c.changed[id] = found
	}
	c.changedIDs = slices.Collect(maps.Keys(c.changed))
}

// noteLately adds ids to the roles that changed recently, and drops those older than latelyPeriod.
func (c *Catalogue) noteLately(ids iter.Seq[string], now time.Time) {
	lately := map[string]time.Time{}
	for id, at := range c.lately {
		if now.Sub(at) < latelyPeriod {
			lately[id] = at
		}
	}
	for id := range ids {
		lately[id] = now
	}
	c.lately = lately
}
