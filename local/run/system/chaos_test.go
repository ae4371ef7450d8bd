package system_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// While submit, ingest and sweep run concurrently, one in six AWS calls fails in some
// way. Every accepted item still ends, once and with a true outcome.
func TestChaos(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			chaos := &randomFaults{random: rand.New(rand.NewPCG(seed, 1))}
			s := newManualSystem(t, chaos.Hook)
			api := client.New(s.BaseURL, s.newAgencyKey(), client.WithAttempts(200), client.WithWait(
				func(ctx context.Context, d time.Duration) error { s.advanceClock(d); return ctx.Err() }))
			batches := map[string][]string{}
			chaos.setEnabled(true)
			for i := range 12 {
				who := i % 8 // some come twice
				in := newSubmitRequest(t, priya, fmt.Sprintf("priya-%d", who))
				in.Email = fmt.Sprintf("priya-%d@example.com", who)
				accepted, err := api.Submit(t.Context(), in)
				must(t, err)
				batches[in.Email] = append(batches[in.Email], accepted.BatchID)
				s.advanceClock(20 * time.Second)
			}
			s.runWorkers()
			chaos.setEnabled(false)
			s.checkNothingPending()
			for email, ids := range batches {
				s.checkEndedHonestly(email, ids)
			}
		})
	}
}

// honestCodes are the ends that an item may come to when our own calls fail.
var honestCodes = []contract.SubmissionError{contract.InternalError, contract.EnqueueFailed, contract.IngestTimedOut}

// checkEndedHonestly checks the batches of a candidate against what is stored: one
// membership, which each success names, or none without a success.
func (s *manualSystem) checkEndedHonestly(email string, batches []string) {
	s.t.Helper()
	found := s.membershipIDs(email)
	succeeded := 0
	for _, id := range batches {
		item := s.readBatch(demo.AgencyID, id).Items[0]
		switch {
		case item.Status == contract.Succeeded:
			succeeded++
			if len(found) != 1 || found[0] != item.CandidateUserID {
				s.t.Errorf("%s: got %+v with the memberships %v", email, item, found)
			}
		case item.Status != contract.Deduplicated && !slices.Contains(honestCodes, item.ErrorCode):
			s.t.Errorf("%s: got %+v; want an honest end", email, item)
		}
	}
	if succeeded == 0 && len(found) > 0 {
		s.t.Errorf("%s: the memberships %v came of no success", email, found)
	}
}

// randomFaults is a hook that spoils calls by chance.
type randomFaults struct {
	mu     sync.Mutex
	on     bool
	random *rand.Rand
}

func (c *randomFaults) setEnabled(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
}

// Hook is a [cloud.Hook].
func (c *randomFaults) Hook(_ context.Context, _ cloud.Call, send func() error) error {
	c.mu.Lock()
	hit := c.on && c.random.IntN(6) == 0
	way := c.random.IntN(len(callFaults))
	c.mu.Unlock()
	if !hit {
		return send()
	}
	return callFaults[slices.Sorted(maps.Keys(callFaults))[way]](send)
}
