package sweep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// parkAll parks every in-flight item until the clock's time in ten minutes.
func (s *slowSystem) parkAll() {
	s.t.Helper()
	store := submission.Open(s.Opener)
	now := s.clock.Now()
	var wakeUps []string
	walk := store.NewSweep(now, func(_ context.Context, found []cloud.Message) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, h := range found {
			wakeUps = append(wakeUps, h.Body)
		}
		return nil
	})
	for left := true; left; {
		var err error
		left, err = walk.CheckInFlight(s.t.Context(), func() bool { return true })
		if err != nil {
			s.t.Fatal(err)
		}
	}
	s.forEach(len(wakeUps), func(i int) error {
		c, err := store.Claim(s.t.Context(), wakeUps[i], uuid.NewString(), now, time.Minute)
		if err != nil {
			return err
		}
		return store.Park(s.t.Context(), c, now, now.Add(10*time.Minute))
	})
}

// lineOfRun returns the line of a run with so many look-ups a minute.
func (s *slowSystem) lineOfRun(rate string) (line map[string]any) {
	s.t.Helper()
	var out bytes.Buffer
	host := s.Host
	host.Log = cloud.NewLog(&out, topology.Sweep.Name)
	host.Getenv = func(name string) string {
		if name == topology.SettingProfileRate {
			return rate
		}
		return s.Getenv(name)
	}
	service, err := sweep.New(s.t.Context(), host)
	if err == nil {
		_, err = service.Handle(s.t.Context())
	}
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &line)
	}
	if err != nil {
		s.t.Fatalf("%s: %v", &out, err)
	}
	return line
}

// A run that leaves items, because more are parked than can be looked up in a minute, says in how many
// minutes all will be looked up, and in how many the first of them is too late. A run that leaves none
// says nothing of it, as does one in another minute than each fifth.
func TestARunSaysWhetherParkedItemsAreInTime(t *testing.T) {
	t.Parallel()
	s := newSlowSystem(t, 0)
	s.loadBacklog(backlog{wakeUps: 300})
	s.parkAll()
	s.clock.Set(s.clock.Now().Add(31 * time.Minute).Truncate(5 * time.Minute).Add(time.Minute))
	if line := s.lineOfRun("4"); line[topology.MetricParked] != nil {
		t.Errorf("got %v in a minute without a count", line)
	}
	s.clock.Set(s.clock.Now().Add(4 * time.Minute))
	line := s.lineOfRun("4")
	minutes, _ := line[topology.MetricParked].(float64)
	left, _ := line[topology.MetricParkedLeft].(float64)
	if minutes < 50 || minutes > 110 || left < 205 || left > 220 { // one shard of 16 is counted
		t.Errorf("got %v and %v minutes; want about 300 items at 4 a minute, and less than 4 hours from when they were due", minutes, left)
	}
	for range 2 { // the second run has nothing to send
		line = s.lineOfRun("10000")
		if line[topology.MetricParked] != nil || line[topology.MetricParkedLeft] != nil {
			t.Errorf("got %v from a run that leaves nothing", line)
		}
		s.clock.Set(s.clock.Now().Add(time.Hour))
	}
}
