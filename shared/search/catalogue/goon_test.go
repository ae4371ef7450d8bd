package catalogue_test

import (
	"testing"
	"time"
)

// TestRebuildGoesOnAtOnce fails unless a rebuild whose time was over is continued by the next invocation, however soon that comes.
func TestRebuildGoesOnAtOnce(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putCarpenters(0, 40)
	b.breakGeneration()
	slow := func() time.Time { b.now = b.now.Add(time.Minute); return b.now }
	published, err := b.newPublisher(10).Publish(t.Context(), slow, "slow")
	if must(t, err); published {
		t.Fatal("it is published within its time")
	}
	if !b.publish(b.newPublisher(10), "next") {
		t.Error("the next invocation does not publish it")
	}
	if found := b.searchIDs(b.newReader(), "carpenter"); len(found) != 40 {
		t.Errorf("%d roles are found, want 40", len(found))
	}
}
