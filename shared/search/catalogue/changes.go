package catalogue

import (
	"maps"
	"slices"
	"time"
)

// mergeChanges merges the changes of roles, which were found at a time, into the views. c.mu is held.
func (c *Catalogue) mergeChanges(changes []RoleDocs, found time.Time) {
	c.noteLately(changes, found)
	if len(changes) == 0 {
		return
	}
	for n := range c.views {
		c.views[n] = c.views[n].Overlay(docsIn(changes, n))
	}
	for _, d := range changes {
		c.changed[d.ID] = found
	}
	c.changedIDs = slices.Collect(maps.Keys(c.changed))
}

// noteLately adds changes to the roles that changed recently, and drops those older than latelyPeriod.
func (c *Catalogue) noteLately(changes []RoleDocs, now time.Time) {
	lately := map[string]time.Time{}
	for id, at := range c.lately {
		if now.Sub(at) < latelyPeriod {
			lately[id] = at
		}
	}
	for _, d := range changes {
		lately[d.ID] = now
	}
	c.lately = lately
}
