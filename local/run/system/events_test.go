package system_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/functions/canary"
	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// noRoute are the events that no row of the route table is for.
var noRoute = []string{"unknownRoute", "malformedPath"}

// Every event in events/ runs through its function's entry point, and every route and
// worker has an event.
func TestEvents(t *testing.T) {
	t.Parallel()
	runEachEvent(t, newEventFixture)
}

// runEachEvent runs every event that writes in its own fixture. The others share one.
func runEachEvent(t *testing.T, newScene func(*testing.T) *eventFixture) {
	t.Helper()
	files, err := filepath.Glob("../../../events/*.json")
	must(t, err)
	manual, err := os.ReadFile("../../../events/README.md")
	must(t, err)
	seen := map[string]bool{}
	var readers []eventFile
	for _, file := range files {
		e := newEventFile(file)
		seen[e.subject] = true
		if !strings.Contains(string(manual), "| `"+e.name+".json` |") {
			t.Errorf("events/README.md does not list %s.json", e.name)
		}
		if e.onlyReads() {
			readers = append(readers, e)
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.check(newScene(t))
		})
	}
	t.Run("that read", func(t *testing.T) {
		t.Parallel()
		scene := newScene(t)
		for _, e := range readers {
			t.Run(e.name, func(t *testing.T) {
				scene.t = t
				e.check(scene)
			})
		}
	})
	for _, route := range contract.Routes {
		if !seen[route.Operation] {
			t.Errorf("events/ has none for the route %s", route.Operation)
		}
	}
	for _, worker := range topology.Workers {
		if !seen[worker.Name] {
			t.Errorf("events/ has none for the worker %s", worker.Name)
		}
	}
}

// eventFile is the file of an event. subject is its operation or worker.
type eventFile struct {
	path, name, subject string
	// route is an index of contract.Routes; -1 for an event without a route.
	route int
}

func newEventFile(path string) eventFile {
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	subject, _, _ := strings.Cut(name, ".")
	route := slices.IndexFunc(contract.Routes, func(r contract.Route) bool { return r.Operation == subject })
	return eventFile{path, name, subject, route}
}

// onlyReads reports whether the event changes nothing that another one needs.
func (e eventFile) onlyReads() bool {
	if e.route < 0 {
		return slices.Contains(noRoute, e.subject)
	}
	return contract.Routes[e.route].Method == http.MethodGet
}

// check runs the event in a fixture.
func (e eventFile) check(scene *eventFixture) {
	scene.t.Helper()
	event := scene.readEvent(e.path)
	switch {
	case e.route >= 0:
		event.checkServes(contract.Routes[e.route])
	case slices.Contains(noRoute, e.subject):
		event.checkUnknownRoute()
	case workers[e.subject] != nil:
		workers[e.subject](event)
	default:
		scene.t.Errorf("%s has no function", e.path)
	}
}

// eventFixture is a system with everything that the placeholders refer to.
type eventFixture struct {
	*manualSystem
	key    keys.Response
	batch  string
	member string
	wakeUp string
	file   string
	// process runs a function as a process of its own; nil runs it in this one.
	process func(function string, payload []byte) ([]byte, error)
	// recruiter is the key of one with a CRM, matches and calls.
	recruiter string
	// role is the id of a listed role.
	role string
}

func newEventFixture(t *testing.T) *eventFixture {
	t.Helper()
	return (&eventFixture{manualSystem: newManualSystem(t)}).createContent(t)
}

// createContent creates what the placeholders refer to.
func (s *eventFixture) createContent(t *testing.T) *eventFixture {
	t.Helper()
	s.key = s.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "test"})
	s.seedRecruiter(demo.OwnerID)
	s.recruiter = s.newRecruiterKey(demo.OwnerID)
	api := s.newAgencyClient()
	ingested, err := api.Submit(t.Context(), newSubmitRequest(t, jonas, ""))
	must(t, err)
	s.runWorkers()
	s.member = s.readBatch(demo.AgencyID, ingested.BatchID).Items[0].CandidateUserID
	waiting, err := api.Submit(t.Context(), newSubmitRequest(t, mismatch, ""))
	must(t, err)
	s.batch = waiting.BatchID
	s.wakeUp = s.takeMessages()[0]
	s.file = s.uploadResume(s.key.Secret, "Ada Example, senior software engineer").ResumeFileID
	roles := &roleSystem{manualSystem: s.manualSystem}
	roles.openFeed()
	roles.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	roles.applyEvent("role.upserted", "role1", 1, newRoleData("Carpenter", nil))
	s.role = "role1"
	return s
}

var placeholder = regexp.MustCompile(`\$\{([A-Z_]+)\}`)

// readEvent reads a file and replaces its placeholders.
func (s *eventFixture) readEvent(file string) lambdaEvent {
	s.t.Helper()
	text, err := os.ReadFile(file)
	must(s.t, err)
	values := map[string]string{
		"AGENCY_KEY": s.key.Secret, "KEY_ID": s.key.Key.ID,
		"RECRUITER_KEY": s.recruiter, "CANDIDATE_ID": seededCandidate, "CALL_ID": seededCall,
		"BATCH_ID": s.batch, "CANDIDATE_USER_ID": s.member, "WAKE_UP": s.wakeUp, "RESUME_FILE_ID": s.file,
		"ROLE_ID": s.role,
	}
	filled := placeholder.ReplaceAllFunc(text, func(found []byte) []byte {
		value, known := values[string(found[2:len(found)-1])]
		if !known {
			s.t.Fatalf("%s: nothing is known for %s", file, found)
		}
		quoted, _ := json.Marshal(value) // a string always marshals
		return quoted[1 : len(quoted)-1]
	})
	return lambdaEvent{s, filled}
}

// lambdaEvent is an event with its placeholders filled in.
type lambdaEvent struct {
	*eventFixture
	payload []byte
}

// invokeFunction runs a function as the Lambda runtime does, in this process or its own.
func (e lambdaEvent) invokeFunction(name string, function any, out any) {
	e.t.Helper()
	run := e.process
	if run == nil {
		run = func(_ string, payload []byte) ([]byte, error) {
			return lambda.NewHandler(function).Invoke(e.t.Context(), payload)
		}
	}
	answer, err := run(name, e.payload)
	must(e.t, err)
	decoder := json.NewDecoder(bytes.NewReader(answer))
	decoder.DisallowUnknownFields()
	must(e.t, decoder.Decode(out))
}

// deliverUntil delivers the wake-up messages that are there, waits a moment, and reports whether ended is
// still open.
func (e lambdaEvent) deliverUntil(ended <-chan struct{}) bool {
	for _, wakeUp := range e.takeMessages() {
		e.deliverMessage(wakeUp)
	}
	select {
	case <-ended:
		return false
	case <-time.After(50 * time.Millisecond):
		return true
	}
}

// invokeHTTP runs the function of an HTTP event.
func (e lambdaEvent) invokeHTTP(function contract.Function) events.APIGatewayV2HTTPResponse {
	e.t.Helper()
	var out events.APIGatewayV2HTTPResponse
	e.invokeFunction(string(function), e.HTTP[string(function)], &out)
	return out
}

// checkPublished checks the response against the OpenAPI document.
func (e lambdaEvent) checkPublished(sent events.APIGatewayV2HTTPRequest, answer events.APIGatewayV2HTTPResponse) {
	e.t.Helper()
	header := http.Header{}
	for name, value := range answer.Headers {
		header.Set(name, value)
	}
	must(e.t, conform.Check(conform.Response{
		Method: sent.RequestContext.HTTP.Method, Path: strings.TrimPrefix(sent.RawPath, contract.BasePath),
		Status: answer.StatusCode, Header: header, Body: []byte(answer.Body),
	}))
}

// pages maps operations whose response is not the JSON of their row to its media type.
var pages = map[string]string{"docs": "text/html; charset=utf-8", "docsPage": "text/html; charset=utf-8", "openapiJSON": "application/json", "openapiYAML": "application/yaml",
	"docsMarkdown": "text/markdown; charset=utf-8", "llms": "text/plain; charset=utf-8", "changeFeed": "application/atom+xml"}

// checkServes checks that the event is the route's and that its response is a success
// of the row's type.
func (e lambdaEvent) checkServes(route contract.Route) {
	e.t.Helper()
	var sent events.APIGatewayV2HTTPRequest
	must(e.t, json.Unmarshal(e.payload, &sent))
	if want := route.Method + " " + contract.BasePath + route.Path; sent.RouteKey != want || sent.RequestContext.RouteKey != want {
		e.t.Errorf("the event's routeKey is %q; want %q", sent.RouteKey, want)
	}
	answer := e.invokeHTTP(route.Function)
	if answer.StatusCode != http.StatusOK {
		e.t.Fatalf("got %d %s; want 200", answer.StatusCode, answer.Body)
	}
	e.checkPublished(sent, answer)
	if route.Output == nil {
		if want := pages[route.Operation]; answer.Headers["Content-Type"] != want || answer.Body == "" {
			e.t.Errorf("got %v; want %s", answer.Headers, want)
		}
		return
	}
	decoder := json.NewDecoder(strings.NewReader(answer.Body))
	decoder.DisallowUnknownFields()
	out := reflect.New(route.Output)
	if err := decoder.Decode(out.Interface()); err != nil || out.Elem().IsZero() {
		e.t.Errorf("got %s, %v; want a %s", answer.Body, err, route.Output)
	}
}

// checkUnknownRoute checks the response to a request without a route.
func (e lambdaEvent) checkUnknownRoute() {
	e.t.Helper()
	answer := e.invokeHTTP(contract.Platform)
	var body contract.ErrorEnvelope
	must(e.t, json.Unmarshal([]byte(answer.Body), &body))
	if answer.StatusCode != http.StatusNotFound || body.Error.Type != "not_found" || body.Error.RequestID != answer.Headers["X-Request-Id"] {
		e.t.Errorf("got %d %s; want an enveloped 404", answer.StatusCode, answer.Body)
	}
}

// workers check the result of a worker's event.
var workers = map[string]func(lambdaEvent){
	topology.Ingest.Name: func(e lambdaEvent) {
		var out events.SQSEventResponse
		e.invokeFunction(topology.Ingest.Name, e.Ingest, &out)
		item := e.readBatch(demo.AgencyID, e.batch).Items[0]
		if len(out.BatchItemFailures) > 0 || item.ErrorCode != contract.ResumeIdentityMismatch {
			e.t.Errorf("got %+v and the item %+v; want it ended", out, item)
		}
	},
	topology.Feed.Name: func(e lambdaEvent) {
		service, err := feed.New(e.t.Context(), system.Permitted(e.hostWithoutHooks(), topology.Feed.Name))
		must(e.t, err)
		var out events.SQSEventResponse
		e.invokeFunction(topology.Feed.Name, service.Handle, &out)
		if got, err := e.openAccounts().Recruiter(e.t.Context(), "rec_linnea"); err != nil || got.Name == "" || len(out.BatchItemFailures) > 0 {
			e.t.Errorf("got %+v and the recruiter %+v, %v; want it stored", out, got, err)
		}
	},
	topology.Sweep.Name: func(e lambdaEvent) {
		e.advanceClock(submission.DefaultResend)
		sweeper, err := sweep.New(e.t.Context(), system.Permitted(e.hostWithoutHooks(), topology.Sweep.Name))
		must(e.t, err)
		var out sweep.Result
		e.invokeFunction(topology.Sweep.Name, sweeper.Handle, &out)
		if diff := gocmp.Diff(sweep.Result{Resent: 1}, out); diff != "" {
			e.t.Errorf("the item that waits (-want +got):\n%s", diff)
		}
	},
	topology.Publisher.Name: func(e lambdaEvent) {
		worker, err := publisher.New(e.t.Context(), system.Permitted(e.hostWithoutHooks(), topology.Publisher.Name))
		must(e.t, err)
		var out struct { // the schedule's answer or the queue's
			publisher.Result
			events.SQSEventResponse
		}
		e.invokeFunction(topology.Publisher.Name, worker.Handle, &out)
		if noted := strings.Contains(string(e.payload), "recruiterId"); out.Published == noted || len(out.BatchItemFailures) > 0 {
			e.t.Errorf("got %+v; want the catalogue published by the schedule, and a small CRM looked at", out)
		}
	},
	topology.Canary.Name: func(e lambdaEvent) {
		settings := map[string]string{
			topology.SettingCanaryURL:          e.BaseURL,
			topology.SettingCanaryAgencyKey:    e.key.Secret,
			topology.SettingCanaryRecruiterKey: e.recruiter,
		}
		ended := make(chan struct{})
		getenv := e.Host.Getenv
		e.Host.Getenv = func(name string) string { return cmp.Or(settings[name], getenv(name)) }
		service, err := canary.New(e.t.Context(), system.Permitted(e.hostWithoutHooks(), topology.Canary.Name))
		must(e.t, err)
		var out canary.Result
		go func() {
			defer close(ended)
			e.invokeFunction(topology.Canary.Name, service.Handle, &out)
		}()
		for e.deliverUntil(ended) {
		}
		if !out.Passed {
			e.t.Errorf("got %+v; want a run that passed", out)
		}
	},
	topology.Keys.Name: func(e lambdaEvent) {
		service, err := keys.New(e.t.Context(), system.Permitted(e.hostWithoutHooks(), topology.Keys.Name))
		must(e.t, err)
		var out keys.Response
		e.invokeFunction(topology.Keys.Name, service.Invoke, &out)
		if out.Error != nil || out.Key == nil && len(out.Keys) == 0 {
			e.t.Errorf("got %+v; want a key or a list of them", out)
		}
	},
}
