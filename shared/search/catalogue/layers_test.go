package catalogue

import (
	"fmt"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// TestFewLayersAndFewMerges fails unless, after a thousand overlays, there are at most ten layers, each change was merged at most ten times on
// average, and the newest state of each role is found.
func TestFewLayersAndFewMerges(t *testing.T) {
	t.Parallel()
	const overlays, each = 1_000, 3
	c := New(nil, nil)
	c.head.Files = []string{"0"}
	c.shards["0"], _ = openIndexes(Docs{}.buildShard(joinIndexes))
	c.adoptBase(c.head)
	merged := 0
	for n := range overlays {
		var ids []string
		for i := range each {
			id := fmt.Sprint("role-", (n*each+i)%(overlays*each-7)) // the last seven again
			both := [2]roleindex.Delta{{Doc: roleindex.Doc{ID: id, Version: int64(n + 1)}}, {Doc: roleindex.Doc{ID: id, Version: int64(n + 1)}, Deleted: true}}
			c.changed[id] = both
			ids = append(ids, id)
		}
		c.mergeChanges(ids)
		merged += len(c.layers[len(c.layers)-1].ids)
		if len(c.layers) > 10 {
			t.Fatalf("%d layers after %d overlays", len(c.layers), n+1)
		}
	}
	for id, both := range c.changed {
		if row, ok := c.views[sharedIndex].Get(id); !ok || row.Version != both[sharedIndex].Doc.Version {
			t.Errorf("%s: got version %d, want %d", id, row.Version, both[sharedIndex].Doc.Version)
		}
	}
	t.Logf("%d layers, %.1f merges a change", len(c.layers), float64(merged)/(overlays*each))
	if merged > 10*overlays*each {
		t.Errorf("%d merges of %d changes", merged, overlays*each)
	}
}
