package capacity_test

import (
	"testing"
	"time"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
)

// TestAnHoursOutageDrainsInTime fails unless the profile provider has look-ups for half as many again as are submitted, and what an hour without
// it has parked is done before its time-out, of which an item waits at most 15 minutes and the breaker 5.
func TestAnHoursOutageDrainsInTime(t *testing.T) {
	t.Parallel()
	if least := 1.5 * model.Submissions * 60; model.LookUps < least {
		t.Errorf("the provider accepts %.0f look-ups a minute, want %.0f", float64(model.LookUps), least)
	}
	if got := model.DrainTime(time.Hour) + 20*time.Minute; got > submission.DefaultTimeout {
		t.Errorf("an hour's outage is done %v after it; want %v", got, submission.DefaultTimeout)
	}
}
