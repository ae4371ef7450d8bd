package capacity_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/local/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// recordedCall is a call of DynamoDB and the text of its response.
type recordedCall struct {
	Operation string          `json:"operation"`
	Input     json.RawMessage `json:"input"`
	Response  string          `json:"response"`
	header    http.Header
}

// replayer is a transport that sends each request to DynamoDB once, and from then on repeats its
// response at once. All updates are the same request: a key's count.
type replayer struct {
	next http.RoundTripper
	mu   sync.Mutex
	// calls has what was recorded, used what was repeated since the last take.
	calls map[string]recordedCall
	used  map[string]recordedCall
}

// requestKey returns the same text for the same request, whose JSON has no fixed order.
func requestKey(operation string, body []byte) string {
	if operation == "UpdateItem" {
		return operation
	}
	letters := slices.Clone(body)
	slices.Sort(letters)
	return operation + string(letters)
}

// RoundTrip implements http.RoundTripper.
func (p *replayer) RoundTrip(r *http.Request) (*http.Response, error) {
	_, operation, isDatabase := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if !isDatabase {
		return p.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	key := requestKey(operation, body)
	p.mu.Lock()
	call, ok := p.calls[key]
	if ok {
		p.used[key] = call
	}
	p.mu.Unlock()
	if !ok {
		return p.record(r, key, operation, body)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: call.header, Body: io.NopCloser(strings.NewReader(call.Response)), ContentLength: int64(len(call.Response)), Request: r,
	}, nil
}

func (p *replayer) record(r *http.Request, key, operation string, body []byte) (*http.Response, error) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	response, err := p.next.RoundTrip(r)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[key] = recordedCall{operation, body, string(text), response.Header}
	return response, err
}

// takeUsed returns the calls that were repeated since the last time.
func (p *replayer) takeUsed() (all []recordedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.used {
		all = append(all, call)
	}
	clear(p.used)
	return all
}

// warmRoute is a route of BenchmarkWarm.
type warmRoute struct {
	name, function, path, query string
	kind                        contract.KeyType
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

// BenchmarkWarm serves warm requests of one route after the other, from the event's JSON to the
// response's, while the database answers at once. "cpu-us" is the processor time of a request, of which
// one core serves a second's worth in a second; percentiles are of the time that passes.
func BenchmarkWarm(b *testing.B) {
	s := newScene(b, smallScale)
	replay := &replayer{next: s.host.AWS.HTTPClient.(*http.Client).Transport, calls: map[string]recordedCall{}, used: map[string]recordedCall{}}
	host := s.host
	host.AWS = host.AWS.Copy()
	host.AWS.HTTPClient = &http.Client{Transport: replay}
	functions, err := system.OpenFunctions(b.Context(), host)
	s.must(err)
	recorded := map[string]any{}
	for _, route := range warmRoutes {
		b.Run(route.name, func(b *testing.B) {
			event := newRouteEvent(s.newKey(route.kind), strings.ReplaceAll(route.path, "{id}", s.membership), route.query)
			function := functions.HTTP[route.function]
			handler := lambda.NewHandler(function)
			serve := func() {
				out, err := handler.Invoke(b.Context(), event)
				if err != nil || !bytes.Contains(out, []byte(`"statusCode":200`)) {
					b.Fatalf("%s, %v", out, err)
				}
			}
			clear(replay.calls) // of the last route, with another key
			for range 20 {
				serve()
			}
			b.ReportAllocs()
			runtime.GC()
			var times []time.Duration
			replay.takeUsed()
			used := processorTime()
			for b.Loop() {
				begun := time.Now()
				serve()
				times = append(times, time.Since(begun))
			}
			b.ReportMetric(float64((processorTime()-used).Nanoseconds())/1000/float64(len(times)), "cpu-us")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, "p50-us")
			b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1000, "p99-us")
			recorded[route.name] = map[string]any{"event": string(event), "calls": replay.takeUsed()}
		})
	}
	if path := os.Getenv(recordedVariable); path != "" {
		s.must(os.WriteFile(path, []byte(encodeJSON(recorded)), 0o600))
	}
}

// newRouteEvent returns a request as API Gateway passes it on.
func newRouteEvent(key, path, query string) []byte {
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: contract.BasePath + path, RawQueryString: query,
		Headers: map[string]string{"authorization": "Bearer " + key, "accept": "application/json", "host": "api.example.com", "user-agent": "bench"},
	}
	e.RequestContext.DomainName, e.RequestContext.RequestID = "api.example.com", "bench"
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
