package soak

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
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
)

// The outage that is simulated, and the provider as it is otherwise.
const (
	bulksPerMinute = 3
	bulkSize       = 100
	outageMinutes  = 60
	// drainMinutes bounds the time after the outage. At the default rate it must allow as many
	// look-ups as there were submissions, after the longest pause of the breaker and of an item.
	drainMinutes   = 60
	providerAnswer = time.Second
	outageWorkers  = 20
)

// outage is a system on a virtual clock, with a provider that fails at first.
type outage struct {
	clock   *virtualClock
	system  *system.System
	sweeper *sweep.Service
	standIn provider.StandIn
	queues  *sqs.Client
	api     *client.Client
	upload  string
	size    int // of a bulk

	minutes, accepted int
	woken             int
	open              []string // batches that have not ended
	ended             map[string]int
}

// runOutages shows that an hour without the provider, which fails in one of two ways, fails no
// submission. It prints how long the backlog takes to drain.
func runOutages(ctx context.Context, o Options) error {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a simulation allocates much memory but holds little
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusPaymentRequired} {
		printf(o.Out, "%d minutes of status %d at %d submissions a minute, then none\n", outageMinutes, status, bulksPerMinute*o.scale(bulkSize))
		if err := runOutage(ctx, o, status); err != nil {
			return fmt.Errorf("status %d: %w", status, err)
		}
	}
	return nil
}

func runOutage(ctx context.Context, o Options, status int) error {
	s := &outage{clock: newVirtualClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), size: o.scale(bulkSize), ended: map[string]int{}}
	if err := s.start(ctx); err != nil {
		return err
	}
	defer s.system.Stop()
	s.standIn.Misbehave(provider.WithStatus(status))
	for range outageMinutes {
		if err := s.submit(ctx); err != nil {
			return err
		}
		if err := s.runMinute(ctx); err != nil {
			return err
		}
	}
	s.standIn.Misbehave(nil)
	asked := s.standIn.Calls()
	for len(s.open) > 0 {
		if s.minutes == outageMinutes+drainMinutes {
			return fmt.Errorf("after %d minutes %d batches have not ended; ended: %v", drainMinutes, len(s.open), s.ended)
		}
		if err := s.runMinute(ctx); err != nil {
			return err
		}
		if err := s.readBatches(ctx); err != nil {
			return err
		}
	}
	printf(o.Out, "the provider was asked %d times in the outage; drained in %d minutes; a submission was woken %.1f times; ended: %v\n",
		asked, s.minutes-outageMinutes, float64(s.woken)/float64(s.accepted), s.ended)
	if s.ended[string(contract.Succeeded)] != s.accepted {
		return fmt.Errorf("of %d submissions: %v; want all succeeded", s.accepted, s.ended)
	}
	return nil
}

// start starts the system with the waits of a deployment.
func (s *outage) start(ctx context.Context) (err error) {
	settings := map[string]string{
		"KEY_ENVIRONMENTS": "live", "INGEST_RESEND": "10m", "INGEST_LEASE_GRACE": "30s", "INGEST_RETRY_DELAY": "1m", "FUNCTION_TIMEOUT": "60s",
		"SWEEP_EVERY": "24h", // the simulation sweeps
	}
	s.system, err = system.Start(ctx, system.Options{
		Getenv: func(name string) string { return settings[name] }, Now: s.clock.Now, Workers: outageWorkers,
		Provider: http.HandlerFunc(s.serveProvider),
		AdaptHost: func(h cloud.Host) cloud.Host {
			h.Wait = s.clock.Wait
			h.AWS = bulk.WithoutTokens(h.AWS)
			return h
		},
	})
	if err != nil {
		return err
	}
	s.queues = sqs.NewFromConfig(s.system.Host.AWS)
	s.sweeper, err = sweep.New(ctx, s.system.Host)
	if err != nil {
		return err
	}
	secrets, err := createKeys(ctx, s.system.Host, demo.AgencyID, demo.OwnerID, 1)
	if err != nil {
		return err
	}
	s.api = client.New(s.system.BaseURL, secrets[0], client.WithAttempts(1))
	upload, err := s.api.Upload(ctx, newSubmission("upload", samples[0], samples[0].readFile()).Resume)
	s.upload = upload.ResumeFileID
	return err
}

// serveProvider responds as the stand-in does, after providerAnswer.
func (s *outage) serveProvider(w http.ResponseWriter, r *http.Request) {
	if s.clock.Wait(r.Context(), providerAnswer) == nil {
		s.standIn.ServeHTTP(w, r)
	}
}

// submit submits a minute's candidates.
func (s *outage) submit(ctx context.Context) error {
	for range bulksPerMinute {
		out, err := s.api.SubmitBulk(ctx, newBulk(fmt.Sprintf("outage-%d", s.accepted), s.size, samples[0], s.upload))
		if err == nil {
			err = checkBulk(out)
		}
		if err != nil {
			return err
		}
		s.accepted += s.size
		s.open = append(s.open, out.BatchID)
	}
	return nil
}

// runMinute runs the sweeper and lets a minute pass.
func (s *outage) runMinute(ctx context.Context) error {
	swept, err := s.sweeper.Handle(ctx)
	if err != nil {
		return err
	}
	s.woken += swept.Resent
	s.minutes++
	return s.passMinute(ctx)
}

// readBatches reads the batches that have not ended, oldest first, within the key's rate.
func (s *outage) readBatches(ctx context.Context) error {
	for _, id := range slices.Clone(s.open[:min(len(s.open), 100)]) {
		batch, err := s.api.Batch(ctx, id)
		if err != nil {
			return err
		}
		if isOpen(batch) {
			continue
		}
		s.open = slices.DeleteFunc(s.open, func(open string) bool { return open == id })
		for _, item := range batch.Items {
			s.ended[formatOutcome(item)]++
		}
	}
	return nil
}
