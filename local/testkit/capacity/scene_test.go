package capacity_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	model "github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// scale is the amount of data.
type scale struct {
	// members is the number of the agency's members, memberships that of the rows of its network.
	members, memberships int
	// roles is the number of all roles, ownRoles that of the recruiter's, with a match each.
	roles, ownRoles int
	// candidates and calls are the numbers of the recruiter's.
	candidates, calls int
}

// multiply returns the scale with n times as much data.
func (s scale) multiply(n int) scale {
	return scale{n * s.members, n * s.memberships, n * s.roles, n * s.ownRoles, n * s.candidates, n * s.calls}
}

// scene is a system with much data, whose functions are metered.
type scene struct {
	*cloudtest.Clock
	system.Functions
	t     testing.TB
	host  cloud.Host
	meter *meter
	// rows writes items, and is not metered.
	rows *dynamodb.Client
	// profileHost is the host of the profile provider.
	profileHost string
	// membership is the id of the template of memberships.
	membership string
	// templates are the items of the templates.
	templates []templateItem

	// keyIDs has the id of the last key of each type.
	keyIDs map[contract.KeyType]string

	mu      sync.Mutex
	wakeUps []string
	number  int
}

var noon = time.Date(2026, 3, 9, 12, 0, 10, 0, time.UTC)

// newScene returns a system with this much data and a published generation of it.
func newScene(t testing.TB, size scale) *scene {
	t.Helper()
	s := &scene{Clock: cloudtest.NewClock(noon), t: t, keyIDs: map[contract.KeyType]string{}}
	profiles := httptest.NewServer(&provider.StandIn{})
	t.Cleanup(profiles.Close)
	s.profileHost = strings.TrimPrefix(profiles.URL, "http://")
	s.host = cloudtest.System(t, map[string]string{
		topology.SettingKeyEnvironments: "live", topology.SettingVersion: "test",
		topology.SettingProfileURL: profiles.URL, topology.SettingProfileKey: "test",
		topology.SettingProfileRate: fmt.Sprint(int(model.LookUps)),
	}, s.Now)
	s.host.Log = slog.New(slog.DiscardHandler)
	s.rows = dynamodb.NewFromConfig(s.host.AWS)
	s.meter = newMeter(s.host)
	metered := s.host
	metered.AWS = cloud.WithHook(s.meter.attach(s.host.AWS), s.recordWakeUp)
	var err error
	s.Functions, err = system.OpenFunctions(t.Context(), metered)
	s.must(err)
	s.createTemplates()
	s.templates = s.scanAll()
	s.copyTemplates(size)
	s.publishIndexes()
	return s
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// publishIndexes publishes a generation of all roles, and the index of the recruiter's CRM.
func (s *scene) publishIndexes() {
	s.t.Helper()
	service, err := publisher.New(s.t.Context(), system.Permitted(s.host, topology.Publisher.Name))
	s.must(err)
	_, err = service.Rebuild(s.t.Context(), nil)
	s.must(err)
	_, err = service.PublishIndexes(s.t.Context(), []string{recruiterID})
	s.must(err)
	s.Move(entity.RereadWindow + time.Second) // the log up to the publication is no longer read
}

// recordWakeUp is a hook that records the messages of the queue of submissions.
func (s *scene) recordWakeUp(_ context.Context, call cloud.Call, send func() error) error {
	in, ok := call.Input.(*sqs.SendMessageBatchInput)
	if !ok || *in.QueueUrl != s.host.Getenv(topology.IngestQueue.Env) {
		return send()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, entry := range in.Entries {
		s.wakeUps = append(s.wakeUps, *entry.MessageBody)
	}
	return send()
}

// createKey creates a key in the environment of the marketplace's own data, and revokes the last
// key of the type. No request has used the rate of the new key.
func (s *scene) createKey(kind contract.KeyType, principal, actor string) string {
	s.t.Helper()
	service, err := keys.New(s.t.Context(), s.host)
	s.must(err)
	r := keys.Request{Type: kind, Principal: principal, Actor: actor}
	r.Action = keys.Revoke
	r.KeyID = s.keyIDs[kind]
	if r.KeyID != "" {
		_, err = service.Handle(s.t.Context(), r)
		s.must(err)
	}
	r.Action = keys.Create
	r.KeyID = ""
	r.Name = "test"
	r.Environment = "live"
	r.Scopes = kind.Scopes()
	out, err := service.Handle(s.t.Context(), r)
	s.must(err)
	s.keyIDs[kind] = out.Key.ID
	return out.Secret
}

// sendRequest sends a request, which must succeed.
func (s *scene) sendRequest(key, method, path, body string, headers ...string) apitest.Response {
	s.t.Helper()
	r := apitest.Send(s.t.Context(), s.API, key, method, path, body, headers...)
	if r.Status != 200 {
		s.t.Fatalf("%s %s: got %d %s", method, path, r.Status, r.Body)
	}
	return r
}

// deliverMessage invokes a worker with a message, which it must accept.
func (s *scene) deliverMessage(worker func(context.Context, events.SQSEvent) (events.SQSEventResponse, error), body string) {
	s.t.Helper()
	out, err := worker(s.t.Context(), events.SQSEvent{Records: []events.SQSMessage{{MessageId: uuid.NewString(), Body: body}}})
	s.must(err)
	if len(out.BatchItemFailures) > 0 {
		s.t.Fatalf("a worker failed with %.300s", body)
	}
}

// takeWakeUps returns the messages that were sent to the queue of submissions since the last call.
func (s *scene) takeWakeUps() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	wakeUps := s.wakeUps
	s.wakeUps = nil
	return wakeUps
}

// nextNumber returns a number that no copy has, a different one in each call.
func (s *scene) nextNumber() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	return 5_000_000 + s.number
}
