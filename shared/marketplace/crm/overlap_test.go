package crm

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Changes are asked for again for as long as the worker that writes them may take to
// commit one, whose clock may differ.
func TestOverlap(t *testing.T) {
	t.Parallel()
	if least := topology.Feed.Timeout + 30*time.Second; changesOverlap < least {
		t.Errorf("asked for %v back; want %v", changesOverlap, least)
	}
}
