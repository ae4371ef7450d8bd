package capacity_test

import (
	"strconv"
	"testing"
	"time"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// useBreaker makes all shards of the provider's breaker be in use, as they are while there are look-ups.
func (s *scene) useBreaker() {
	s.t.Helper()
	table := s.host.Opener().Table(topology.Network)
	for shard := range (profile.Limits{PerMinute: model.LookUps}).Shards() {
		pk, sk := itemkey.ProviderBreaker.Key(s.profileHost, strconv.Itoa(shard))
		s.must(table.Update(topology.PK, pk).Range(topology.SK, sk).Set("refilled", s.Now().UnixMicro()).Run(s.t.Context()))
	}
}

// TestAnHoursOutageDrainsInTime fails unless the profile provider has look-ups for half as many again as are submitted, and what an hour without
// it has parked is done before its time-out, of which an item waits at most 15 minutes and the breaker 5.
func TestAnHoursOutageDrainsInTime(t *testing.T) {
	t.Parallel()
	if least := 1.5 * model.Submissions * 60; model.LookUps < least {
		t.Errorf("the provider accepts %.0f look-ups a minute, want %.0f", float64(model.LookUps), least)
	}
	drained := time.Duration(float64(time.Hour) / (model.LookUps/(model.Submissions*60) - 1)) // while as many arrive as before
	if got := drained + 20*time.Minute; got > submission.DefaultTimeout {
		t.Errorf("an hour's outage is done %v after it; want %v", got, submission.DefaultTimeout)
	}
}

// TestADaysOutageFailsNothing fails if parked submissions of a whole day, which arrive in four hours, time out before the sweeper, which
// sends as many wake-up messages as there are look-ups, has sent the wake-up messages of all.
func TestADaysOutageFailsNothing(t *testing.T) {
	t.Parallel()
	const ofADay = model.Submissions * 4 * 3600
	if wait := time.Duration(ofADay / model.LookUps * float64(time.Minute)); wait+15*time.Minute > submission.DefaultTimeout {
		t.Errorf("a submission waits for its wake-up message for %v", wait)
	}
}
