package entity_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// A writer's invocation has ended by the time that a commit would be too late, and a
// reader asks for that long back and half a minute more, by which clocks may differ.
func TestRereadWindowExceedsCommitBound(t *testing.T) {
	t.Parallel()
	if topology.Feed.Timeout > entity.CommitBound {
		t.Errorf("the feed may commit %v after it made an entry; readers reckon with %v", topology.Feed.Timeout, entity.CommitBound)
	}
	if least := entity.CommitBound + 30*time.Second; entity.RereadWindow < least {
		t.Errorf("readers ask %v back; want at least %v", entity.RereadWindow, least)
	}
}
