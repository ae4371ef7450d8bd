package sweep_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestNoMoreWakeUpsAreSentThanCanBeLookedUp fails if a run sends more wake-up messages than the profile provider takes
// look-ups in a minute, but for the four pages in progress, if it does not say that others are left, or if
// those are not sent by the next runs.
func TestNoMoreWakeUpsAreSentThanCanBeLookedUp(t *testing.T) {
	t.Parallel()
	const (
		perMinute = 300
		items     = 1_000
	)
	s := newSlowSystemWith(t, time.Millisecond, map[string]string{topology.SettingProfileRate: "300"})
	s.loadBacklog(backlog{wakeUps: items})
	for left := items; left > 0; {
		result := s.runSweep()
		sent := result.Resent
		if sent > perMinute+400 || sent < min(perMinute, left) {
			t.Fatalf("a run sends %d of %d wake-up messages; want about %d", sent, left, perMinute)
		}
		left -= sent
		if left > 0 && result.Unfinished != 1 {
			t.Fatalf("a run that leaves %d wake-up messages counts %d parts as unfinished; want 1", left, result.Unfinished)
		}
	}
}

// TestARunThatLeavesNothingIsFinished fails if a run that sends as many wake-up messages as it may, and leaves none, says that some are left.
func TestARunThatLeavesNothingIsFinished(t *testing.T) {
	t.Parallel()
	s := newSlowSystemWith(t, time.Millisecond, map[string]string{topology.SettingProfileRate: "300"})
	s.loadBacklog(backlog{wakeUps: 300})
	if result := s.runSweep(); result.Resent != 300 || result.Unfinished != 0 {
		t.Errorf("got %+v; want 300 wake-up messages and nothing unfinished", result)
	}
}
