package restore

import (
	"context"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// An erasure that was archived shortly before the restored state may have deleted its data after it, so it is applied again. One
// that was archived long before has ended.
func TestReplayedErasures(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	bucket := objectstore.Open(host.Opener(), topology.MarketplaceBucket)
	before := time.Now()
	if err := bucket.Put(t.Context(), topology.ErasuresPrefix+"person-1/1.json", "application/json", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	apply := func(context.Context, string) (refused string, err error) { return "", nil }
	for since, want := range map[time.Time]int{
		before.Add(-time.Hour): 1,
		after:                  1, // with a fraction of a second, which the time of an object lacks
		before.Truncate(time.Second).Add(archivedBefore):              1,
		after.Truncate(time.Second).Add(archivedBefore + time.Second): 0,
	} {
		if n, err := ReplayErasures(t.Context(), host, since, apply); n != want || err != nil {
			t.Errorf("since %v after the archive: applied %d, %v; want %d", since.Sub(after), n, err, want)
		}
	}
}
