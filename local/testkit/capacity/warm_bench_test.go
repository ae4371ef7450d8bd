package capacity_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/functions/network"
	"github.com/recruiting-marketplace/external-api/functions/platform"
	"github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

// warmRoute is a route of BenchmarkWarm.
type warmRoute struct {
	name        string
	function    contract.Function
	path, query string
	kind        contract.KeyType
}

var warmRoutes = []warmRoute{
	{"identity", "platform", "/identity", "", contract.AgencyKey},
	{"list", "network", "/talent-network/candidates", "limit=20", contract.AgencyKey},
	{"CRM", "crm", "/recruiter/candidates", "limit=20", contract.PersonalKey},
	{"preferences", "network", "/talent-network/candidates/{id}/preferences", "", contract.AgencyKey},
	{"roles", "roles", "/recruiter/roles", "limit=20", contract.PersonalKey},
	{"role", "roles", "/recruiter/roles/role-" + roleTag, "", contract.PersonalKey},
}

// recordedVariable names a file that receives the events and calls of the routes for peers.
const recordedVariable = "BENCH_RECORDED"

// openFunction has the functions of the routes.
var openFunction = map[contract.Function]func(context.Context, cloud.Host) (http.Handler, error){
	contract.Platform: platform.New, contract.Network: network.New, contract.CRM: crm.New, contract.Roles: roles.New,
}

// openWarm returns the function of a route as it is deployed, with its log and without the hooks of
// tests, on a database that answers with replay.
func (s *scene) openWarm(route warmRoute, replay *replayer, hooks ...cloud.Hook) lambda.Handler {
	settings := func(name string) string {
		if name == topology.SettingFunction {
			return string(route.function)
		}
		return s.host.Getenv(name)
	}
	host := cloud.NewHost(settings, s.Now, cloud.NewLog(io.Discard, string(route.function)))
	host.AWS.HTTPClient = &http.Client{Transport: replay}
	for _, hook := range hooks {
		host.AWS = cloud.WithHook(host.AWS, hook)
	}
	handler, err := openFunction[route.function](s.t.Context(), host)
	s.must(err)
	return lambda.NewHandler(lambdahttp.Handler(handler))
}

// warmTime is how long BenchmarkWarm serves requests in one go.
const warmTime = 250 * time.Millisecond

// BenchmarkWarm serves warm requests of one route after the other, from the event's JSON to the
// response's, while the database answers at once. In turns, the database's client alone makes the same
// calls. "cpu-us" is the processor time of a request, of which one core serves a second's worth in a
// second, and "client-cpu-us" that of its calls alone; of all turns the shortest, because other work
// on the machine only adds. Percentiles are of the time that passes.
func BenchmarkWarm(b *testing.B) {
	s := newScene(b, smallScale)
	replay := newReplayer(s.host.AWS.HTTPClient.(*http.Client).Transport)
	recorded := map[string]any{}
	for _, route := range warmRoutes {
		b.Run(route.name, func(b *testing.B) {
			event := newRouteEvent(s.newKey(route.kind), strings.ReplaceAll(route.path, "{id}", s.membership), route.query)
			serve := func(handler lambda.Handler) {
				out, err := handler.Invoke(b.Context(), event)
				if err != nil || !bytes.Contains(out, []byte(`"statusCode":200`)) {
					b.Fatalf("%s, %v", out, err)
				}
			}
			clear(replay.calls) // of the last route, with another key
			inputs := s.recordInputs(route, replay, serve)
			handler := s.openWarm(route, replay)
			for range 20 {
				serve(handler)
			}
			replay.takeUsed()
			request := newTurns(func() { serve(handler) })
			client := newTurns(s.newClient(inputs, replay))
			for b.Loop() {
				request.run()
				client.run()
			}
			recorded[route.name] = map[string]any{"event": string(event), "calls": replay.takeUsed()}
			request.report(b)
			b.ReportMetric(slices.Min(client.used), "client-cpu-us")
		})
	}
	if path := os.Getenv(recordedVariable); path != "" {
		s.must(os.WriteFile(path, []byte(encodeJSON(recorded)), 0o600))
	}
}

// recordInputs returns the inputs of the calls that a warm request of a route makes.
func (s *scene) recordInputs(route warmRoute, replay *replayer, serve func(lambda.Handler)) []any {
	var mu sync.Mutex
	var inputs []any
	handler := s.openWarm(route, replay, func(_ context.Context, call cloud.Call, send func() error) error {
		mu.Lock()
		inputs = append(inputs, call.Input)
		mu.Unlock()
		return send()
	})
	for range 20 {
		inputs = nil
		serve(handler)
	}
	return inputs
}

// newClient returns a function with which a client of the SDK makes the calls.
func (s *scene) newClient(inputs []any, replay *replayer) func() {
	config := s.host.AWS.Copy()
	config.HTTPClient = &http.Client{Transport: replay}
	config.APIOptions = nil
	client := dynamodb.NewFromConfig(config)
	return func() {
		for _, input := range inputs {
			s.must(sendInput(s.t.Context(), client, input))
		}
	}
}

// newRouteEvent returns a request as API Gateway passes it on.
func newRouteEvent(key, path, query string) []byte {
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: contract.BasePath + path, RawQueryString: query,
		Headers: map[string]string{"authorization": "Bearer " + key, "accept": "application/json", "host": "api.example.com", "user-agent": "bench"},
	}
	e.RequestContext.DomainName = "api.example.com"
	e.RequestContext.RequestID = "bench"
	e.RequestContext.HTTP = events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: "GET", Path: e.RawPath, SourceIP: "192.0.2.1", Protocol: "HTTP/1.1"}
	return []byte(encodeJSON(e))
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
