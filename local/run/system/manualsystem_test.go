package system_test

import (
	"context"
	"maps"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// manualSystem runs the functions without pollers and schedules: the test itself delivers
// the queue's messages, sweeps and moves the clock.
type manualSystem struct {
	*testSystem
	system.Functions

	mu sync.Mutex
	// sent holds the messages that were sent and are not delivered yet, by queue URL.
	sent map[string][]string
	// refused holds the bodies of the messages that were sent to a dead-letter queue.
	refused []string
}

// newManualSystem opens the functions with the settings of a deployment, except that role lists
// show every change at once. hooks wrap the functions' AWS calls.
func newManualSystem(t *testing.T, hooks ...cloud.Hook) *manualSystem {
	t.Helper()
	return newManualSystemWith(t, nil, hooks...)
}

// newManualSystemWith is newManualSystem with further settings.
func newManualSystemWith(t *testing.T, env map[string]string, hooks ...cloud.Hook) *manualSystem {
	t.Helper()
	s := newClosedSystem(t, env)
	s.open(hooks...)
	return s
}

// open opens the functions and lets clients reach them until the test ends.
func (s *manualSystem) open(hooks ...cloud.Hook) {
	s.t.Helper()
	s.Functions = openFunctions(s.t, s.hookedHost(hooks...))
	s.serve()
}

// serve lets clients reach the open functions over HTTP until the test ends.
func (s *manualSystem) serve() {
	server := httptest.NewServer(s.API)
	s.t.Cleanup(server.Close)
	s.BaseURL = server.URL + contract.BasePath
}

// newClosedSystem returns the resources of a system without open functions; env adds settings to
// those of newManualSystem.
func newClosedSystem(t *testing.T, env map[string]string) *manualSystem {
	t.Helper()
	s := &manualSystem{testSystem: &testSystem{t: t, System: &system.System{}}, sent: map[string][]string{}}
	s.freezeClock(midMinute)
	settings := map[string]string{"KEY_ENVIRONMENTS": "live,test", "VERSION": "test", topology.SettingCatalogueAge: "0"}
	if domain := os.Getenv(topology.SettingSearchURL); domain != "" { // .ci/opensearch runs all tests on a domain
		settings[topology.SettingSearchURL] = domain + "/" + uuid.NewString()
		t.Cleanup(func() { removeIndex(t, settings[topology.SettingSearchURL]) })
	}
	maps.Copy(settings, env)
	s.Host = cloudtest.System(t, settings, s.now)
	must(t, demo.Load(t.Context(), s.openAccounts()))
	return s
}

// hookedHost returns the host with the hooks around its calls.
func (s *manualSystem) hookedHost(hooks ...cloud.Hook) cloud.Host {
	hooked := s.Host
	for _, hook := range append(hooks, s.recordSent) { // the last is next to the queue
		hooked.AWS = cloud.WithHook(hooked.AWS, hook)
	}
	return hooked
}

// recordSent is a hook that records the messages that the queue accepts.
func (s *manualSystem) recordSent(_ context.Context, call cloud.Call, send func() error) error {
	err := send()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch in := call.Input.(type) {
	case *sqs.SendMessageBatchInput:
		for _, entry := range in.Entries {
			s.sent[*in.QueueUrl] = append(s.sent[*in.QueueUrl], *entry.MessageBody)
		}
	case *sqs.SendMessageInput:
		s.refused = append(s.refused, *in.MessageBody)
	}
	return nil
}

// takeMessages returns and forgets the wake-up messages that were sent and not delivered.
func (s *manualSystem) takeMessages() []string { return s.takeMessagesOf(topology.IngestQueue) }

// takeMessagesOf is like takeMessages, but for any queue.
func (s *manualSystem) takeMessagesOf(q topology.Queue) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.sent[s.Host.Getenv(q.Env)]
	delete(s.sent, s.Host.Getenv(q.Env))
	return taken
}

// returnMessage returns a message whose delivery failed to its queue.
func (s *manualSystem) returnMessage(q topology.Queue, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[s.Host.Getenv(q.Env)] = append(s.sent[s.Host.Getenv(q.Env)], message)
}

// deliverMessage invokes the worker with one message; a failed one returns to the queue.
func (s *manualSystem) deliverMessage(message string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	event := events.SQSEvent{Records: []events.SQSMessage{{MessageId: uuid.NewString(), Body: message}}}
	out, err := s.Ingest(ctx, event)
	if err != nil {
		s.t.Errorf("ingest: %v", err)
	}
	if len(out.BatchItemFailures) > 0 {
		s.returnMessage(topology.IngestQueue, message)
	}
}

// sweepDue invokes the sweeper if it has work. Without any it would only read its shards, which are many.
func (s *manualSystem) sweepDue() error {
	if !s.hasDueItems() {
		return nil
	}
	return s.Sweep(s.t.Context())
}

// runWorkers delivers messages concurrently and sweeps until no item is live, within 4
// hours of the moved clock.
func (s *manualSystem) runWorkers() {
	s.t.Helper()
	for range 30 {
		taken := s.takeMessages()
		runConcurrently(len(taken), func(i int) any { s.deliverMessage(taken[i]); return nil })
		if len(s.storedItems(topology.Submissions, "L#")) == 0 {
			return
		}
		s.advanceClock(10 * time.Minute)
		_ = s.sweepDue() // what failed is looked at again
	}
	s.t.Fatal("an item stayed live past its deadline")
}
