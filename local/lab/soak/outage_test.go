package soak

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The outage that is simulated, and the provider as it is otherwise.
const (
	// submissionsPerMinute is a 32nd of the rate in docs/capacity.md.
	submissionsPerMinute = 300
	// leastPerMinute bounds what a scale makes of it: with fewer look-ups, even two workers wait longer for
	// one than the breaker lets them, and park their submissions.
	leastPerMinute = 15
	bulkSize       = 100
	outageMinutes  = 60
	// drainMinutes bounds the time after the outage.
	drainMinutes   = 4 * 60
	providerAnswer = time.Second
	// secondsPerLookUp is how many workers a deployment has for each look-up a second.
	secondsPerLookUp = 2
)

// outage is a system on a virtual clock, with a provider that fails at first.
type outage struct {
	out      io.Writer
	clock    *virtualClock
	system   *system.System
	sweeper  *sweep.Service
	standIn  provider.StandIn
	queues   *sqs.Client
	api      *client.Client
	attempts *attempts
	upload   string

	perMinute, workers int // perMinute counts submissions
	minutes, accepted  int
	batches            []string
	peak               int // of wake-up messages that the sweeper sent in a minute
}

// soakOutage shows that an hour without the provider fails no submission, and prints how long the
// backlog takes to drain while as many submissions arrive as before. The provider accepts half as
// many look-ups again.
func soakOutage(t *testing.T, out io.Writer) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a simulation allocates much memory but holds little
	s := &outage{
		out: out, clock: newVirtualClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), attempts: newAttempts(),
		perMinute: max(leastPerMinute, scaled(submissionsPerMinute)),
	}
	s.workers = max(2, s.lookUps()*secondsPerLookUp/60)
	s.start(t)
	defer s.system.Stop()
	if err := s.run(t.Context()); err != nil {
		t.Error(err)
	}
}

// run lets the outage pass, and then the phases after it.
func (s *outage) run(ctx context.Context) error {
	printf(s.out, "%d minutes without the provider, at %d submissions and %d look-ups a minute\n",
		outageMinutes, s.perMinute, s.lookUps())
	s.standIn.Misbehave(provider.WithStatus(http.StatusServiceUnavailable))
	if err := s.runUntil(ctx, s.perMinute, func() bool { return s.minutes == outageMinutes }); err != nil {
		return err
	}
	asked := s.standIn.Calls()
	parked := s.accepted
	batches := s.batches
	printf(s.out, "%d submissions are parked; the provider was asked %d times\n", parked, asked)
	s.standIn.Misbehave(nil)
	for _, phase := range []struct {
		name      string
		perMinute int
		over      func() bool
	}{
		{"those have ended", s.perMinute, func() bool { return s.attempts.countEnded(batches) == parked }},
		{"only submissions of the last minute are open", s.perMinute, func() bool { return s.countOpen() <= s.perMinute }},
		{"none is open", 0, func() bool { return s.countOpen() == 0 }},
	} {
		if err := s.runUntil(ctx, phase.perMinute, phase.over); err != nil {
			return err
		}
		printf(s.out, "%d minutes after the outage %s\n", s.minutes-outageMinutes, phase.name)
	}
	return s.report(ctx, s.standIn.Calls()-asked)
}

// countOpen returns the number of submissions that no worker has ended.
func (s *outage) countOpen() int { return s.accepted - s.attempts.countEnded(s.batches) }

// runUntil runs minutes, with n submissions each, until the phase is over.
func (s *outage) runUntil(ctx context.Context, n int, over func() bool) error {
	for !over() {
		if s.minutes == outageMinutes+drainMinutes {
			s.attempts.print(s.out, s.accepted)
			return fmt.Errorf("%d minutes after the outage %d submissions are open", drainMinutes, s.countOpen())
		}
		if err := s.runMinute(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// report prints the figures, and returns an error unless each submission has succeeded once.
func (s *outage) report(ctx context.Context, answered int64) error {
	outcomes, candidates, err := s.readBatches(ctx)
	if err != nil {
		return err
	}
	printf(s.out, "%d submissions ended after %d minutes: %v, %d candidates, %d answers of the provider\n",
		s.accepted, s.minutes, outcomes, candidates, answered)
	printf(s.out, "the oldest was %v old; the sweeper sent up to %d wake-up messages a minute\n", s.attempts.oldest, s.peak)
	s.attempts.print(s.out, s.accepted)
	if n := s.accepted; outcomes[string(contract.Succeeded)] != n || candidates != n || answered != int64(n) {
		return fmt.Errorf("of %d submissions: %v; want all succeeded, each with one candidate and one answer", n, outcomes)
	}
	return nil
}

// lookUps is how many the provider accepts in a minute.
func (s *outage) lookUps() int { return s.perMinute * 3 / 2 }

// start starts the system with the waits of a deployment.
func (s *outage) start(t *testing.T) {
	t.Helper()
	settings := map[string]string{
		"KEY_ENVIRONMENTS": "live", "FUNCTION_TIMEOUT": "60s",
		"INGEST_RESEND": "10m", "INGEST_LEASE_GRACE": "30s", "INGEST_RETRY_DELAY": "1m",
		topology.SettingProfileRate: strconv.Itoa(s.lookUps()),
		"SWEEP_EVERY":               "24h", // the simulation sweeps
	}
	started, err := system.Start(t.Context(), system.Options{
		Getenv: func(name string) string { return settings[name] }, Now: s.clock.Now, Workers: s.workers,
		Provider: http.HandlerFunc(s.serveProvider), Log: cloud.NewLog(s.attempts, ""),
		AdaptHost: func(h cloud.Host) cloud.Host {
			h.Wait = s.clock.Wait
			h.AWS = bulk.WithoutTokens(h.AWS)
			return h
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.system = started
	s.queues = sqs.NewFromConfig(s.system.Host.AWS)
	s.sweeper, err = sweep.New(t.Context(), s.system.Host)
	if err != nil {
		t.Fatal(err)
	}
	secrets := createKeys(t, s.system.Host, "live", demo.AgencyID, demo.OwnerID)
	s.api = client.New(s.system.BaseURL, secrets[0], client.WithAttempts(1))
	resume := []byte(samples[0].name + "\nCarpenter, joiner and cabinetmaker")
	upload, err := s.api.Upload(t.Context(), newSubmission("upload", samples[0], resume).Resume)
	if err != nil {
		t.Fatal(err)
	}
	s.upload = upload.ResumeFileID
}

// serveProvider responds as the stand-in does, after providerAnswer.
func (s *outage) serveProvider(w http.ResponseWriter, r *http.Request) {
	if s.clock.Wait(r.Context(), providerAnswer) == nil {
		s.standIn.ServeHTTP(w, r)
	}
}

// submit submits n candidates in bulk.
func (s *outage) submit(ctx context.Context, n int) error {
	for left := n; left > 0; left -= bulkSize {
		size := min(left, bulkSize)
		out, err := s.api.SubmitBulk(ctx, newBulk(fmt.Sprintf("outage-%d", s.accepted), size, samples[0], s.upload))
		if err == nil {
			err = checkBulk(out)
		}
		if err != nil {
			return err
		}
		s.accepted += size
		s.batches = append(s.batches, out.BatchID)
	}
	return nil
}

// runMinute submits n candidates, runs the sweeper and lets a minute pass.
func (s *outage) runMinute(ctx context.Context, n int) error {
	if err := s.submit(ctx, n); err != nil {
		return err
	}
	swept, err := s.sweeper.Handle(ctx)
	if err != nil {
		return err
	}
	s.peak = max(s.peak, swept.Resent)
	if s.minutes%15 == 0 {
		printf(s.out, "minute %3d: %6d accepted, %6d ended, %6d wake-up messages sent\n",
			s.minutes, s.accepted, s.attempts.countEnded(s.batches), swept.Resent)
	}
	s.minutes++
	return s.passMinute(ctx)
}

// readBatches reads all batches, within the key's rate, and returns the number of items of each
// outcome and of their candidates.
func (s *outage) readBatches(ctx context.Context) (outcomes map[string]int, candidates int, err error) {
	outcomes = map[string]int{}
	found := map[string]bool{}
	for n, id := range s.batches {
		if n%100 == 99 {
			s.clock.Move(time.Minute)
		}
		batch, err := s.api.Batch(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		for _, item := range batch.Items {
			outcomes[formatOutcome(item)]++
			found[item.CandidateUserID] = true
		}
	}
	return outcomes, len(found), nil
}
