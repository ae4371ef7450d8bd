package catalogue

import (
	"maps"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// layer is an overlay of changes on the layers before it, or on the base.
type layer struct {
	views viewPair
	ids   []string
}

// mergeChanges merges changes into the views. Searches are slower for each layer, and a layer is made
// anew to add to it. A layer therefore has more than twice as many changes as the next one: there are
// few layers, and each change is merged few times.
func (c *Catalogue) mergeChanges(ids []string) {
	c.changedIDs = slices.Collect(maps.Keys(c.changed))
	ids = slices.Clone(ids)
	kept := countKept(c.layers, len(ids))
	for _, folded := range c.layers[kept:] {
		ids = append(ids, folded.ids...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	c.views = c.base
	if kept > 0 {
		c.views = c.layers[kept-1].views
	}
	for n := range c.views {
		deltas := make([]roleindex.Delta, len(ids))
		for i, id := range ids {
			deltas[i] = c.changed[id][n]
		}
		c.views[n] = c.views[n].Overlay(deltas)
	}
	c.layers = append(slices.Clip(c.layers[:kept]), layer{c.views, ids})
}

// countKept returns the number of layers to keep below a new one of n changes; the new one takes the
// changes of the others.
func countKept(layers []layer, n int) int {
	kept := len(layers)
	for kept > 0 && len(layers[kept-1].ids) <= 2*n {
		kept--
		n += len(layers[kept].ids)
	}
	return kept
}
