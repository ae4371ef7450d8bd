package lambda_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

type (
	request  = events.APIGatewayV2HTTPRequest
	response = events.APIGatewayV2HTTPResponse
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// startGateway runs a gateway with the functions, and $default to the function of that name, over a real socket.
func startGateway(t *testing.T, config lambda.GatewayConfig) *httptest.Server {
	t.Helper()
	config.Now = func() time.Time { return noon }
	config.NewID = func() string { return "request-1" }
	if config.Timeout == 0 {
		config.Timeout = lambda.MaxWait
	}
	if config.Failed == nil {
		config.Failed = func(string, error) {}
	}
	if config.Routes == nil {
		config.Routes = []lambda.Route{{Path: "$default", Function: "f"}}
	}
	gateway, err := lambda.NewGateway(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gateway)
	t.Cleanup(server.Close)
	return server
}

func singleFunction(f lambda.HTTPFunction) map[string]lambda.HTTPFunction {
	return map[string]lambda.HTTPFunction{"f": f}
}

// requestSeen serves one request and returns the event that its function saw.
func requestSeen(t *testing.T, method, target string, body io.Reader, header http.Header) request {
	t.Helper()
	var got request
	server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(_ context.Context, e request) (response, error) {
		got = e
		return response{StatusCode: 204}, nil
	})})
	if status, _, text := doRequest(t, method, server.URL+target, body, header); status != 204 {
		t.Fatalf("status %d %s, want 204", status, text)
	}
	return got
}

func doRequest(t *testing.T, method, url string, body io.Reader, header http.Header) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(text)
}

func TestEvent(t *testing.T) {
	t.Parallel()
	got := requestSeen(t, "POST", "/a%20b/%23?x=1&x=2&y=%26", strings.NewReader(`{"a":"é"}`), http.Header{
		"Content-Type":    {"application/json; charset=utf-8"},
		"X-Many":          {"one", "two, three"},
		"Cookie":          {"a=1; b=2"},
		"User-Agent":      {"test"},
		"Accept-Encoding": {"identity"},
		"X-Forwarded-For": {"192.0.2.1"},
	})
	host := got.Headers["host"]
	want := request{
		Version: "2.0", RouteKey: "$default",
		RawPath: "/a b/#", RawQueryString: "x=1&x=2&y=%26",
		QueryStringParameters: map[string]string{"x": "1,2", "y": "&"},
		Cookies:               []string{"a=1", "b=2"},
		Headers: map[string]string{
			"content-type": "application/json; charset=utf-8", "content-length": "10", "x-many": "one,two, three",
			"user-agent": "test", "accept-encoding": "identity", "host": host,
			"x-forwarded-for": "192.0.2.1, 127.0.0.1", "x-forwarded-proto": "http",
		},
		Body: `{"a":"é"}`,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey: "$default", AccountID: "000000000000", APIID: "local", Stage: "$default", RequestID: "request-1",
			DomainName: host, DomainPrefix: "local", Time: "01/May/2026:12:00:00 +0000", TimeEpoch: 1777636800000,
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: "POST", Path: "/a b/#", Protocol: "HTTP/1.1", SourceIP: "127.0.0.1", UserAgent: "test",
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

func TestBodyEncoding(t *testing.T) {
	t.Parallel()
	tests := []struct {
		contentType, body, want string
		base64                  bool
	}{
		{"text/plain", "hello", "hello", false},
		{"text/csv; charset=utf-8", "a,b", "a,b", false},
		{"Application/JSON", "{}", "{}", false},
		{"application/xml", "<a/>", "<a/>", false},
		{"application/json;;", "{}", "{}", false},
		{"", "{}", "e30=", true},
		{"application/x-www-form-urlencoded", "a=1", "YT0x", true},
		{"application/octet-stream", "\x00\xff", "AP8=", true},
		{"application/json", "\"\xff\"", "Iv8i", true}, // no UTF-8
		{"application/octet-stream", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.contentType+tt.body, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if tt.contentType != "" {
				header.Set("Content-Type", tt.contentType)
			}
			got := requestSeen(t, "POST", "/", strings.NewReader(tt.body), header)
			if got.Body != tt.want || got.IsBase64Encoded != tt.base64 {
				t.Errorf("got %q, base64 %v; want %q, %v", got.Body, got.IsBase64Encoded, tt.want, tt.base64)
			}
		})
	}
}

func TestHeadLimit(t *testing.T) {
	t.Parallel()
	server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(context.Context, request) (response, error) {
		return response{StatusCode: 204}, nil
	})})
	head := "GET / HTTP/1.1\r\nHost: " + server.Listener.Addr().String() + "\r\n"
	fixed := len(head) + len("User-Agent: t\r\n") + len("Accept-Encoding: identity\r\n") + len("X-Pad: \r\n")
	for size, want := range map[int]int{lambda.MaxHead: 204, lambda.MaxHead + 1: 431} {
		header := http.Header{
			"User-Agent": {"t"}, "Accept-Encoding": {"identity"}, "X-Pad": {strings.Repeat("a", size-fixed)},
		}
		status, _, text := doRequest(t, "GET", server.URL+"/", nil, header)
		if status != want {
			t.Errorf("head of %d bytes: status %d, want %d", size, status, want)
		}
		if status == 431 && text != `{"message":"Request Header Fields Too Large"}` {
			t.Errorf("body %s", text)
		}
	}
}

func TestBodiesEndAtTheLimit(t *testing.T) {
	t.Parallel()
	server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(_ context.Context, e request) (response, error) {
		if len(e.Body) > lambda.MaxBody {
			return response{StatusCode: 413, Body: strconv.Itoa(len(e.Body))}, nil
		}
		return response{StatusCode: 200, Body: strconv.Itoa(len(e.Body))}, nil
	})})
	for size, want := range map[int]int{lambda.MaxBody: 200, lambda.MaxBody + 1: 413, lambda.MaxBody + 8<<20: 413} {
		status, _, text := doRequest(t, "POST", server.URL, bytes.NewReader(bytes.Repeat([]byte("a"), size)), http.Header{"Content-Type": {"text/plain"}})
		if saw := strconv.Itoa(min(size, lambda.MaxBody+1)); status != want || text != saw {
			t.Errorf("%d bytes: got %d, function saw %s; want %d, %s", size, status, text, want, saw)
		}
	}
}

func TestResponse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		result response
		header map[string]string
		cookie []string
		body   string
	}{
		{"text", response{StatusCode: 200, Body: "hi"}, map[string]string{"Content-Type": "text/plain;charset=UTF-8"}, nil, "hi"},
		{"headers", response{
			StatusCode: 404, Body: "{}",
			Headers: map[string]string{"content-type": "application/json", "X-A": "1,2", "Content-Length": "99", "Connection": "x"},
		}, map[string]string{"Content-Type": "application/json", "X-A": "1,2", "Content-Length": "2", "Connection": ""}, nil, "{}"},
		{"cookies", response{StatusCode: 200, Cookies: []string{"a=1; Secure", "b=2"}}, nil, []string{"a=1; Secure", "b=2"}, ""},
		{"binary", response{StatusCode: 200, Body: "AP8=", IsBase64Encoded: true}, nil, nil, "\x00\xff"},
		{"multi", response{StatusCode: 200, MultiValueHeaders: map[string][]string{"X-M": {"1"}}}, map[string]string{"X-M": ""}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(context.Context, request) (response, error) { return tt.result, nil })})
			status, header, body := doRequest(t, "GET", server.URL, nil, nil)
			if status != tt.result.StatusCode || body != tt.body {
				t.Errorf("got %d %q, want %d %q", status, body, tt.result.StatusCode, tt.body)
			}
			for name, want := range tt.header {
				if got := header.Get(name); got != want {
					t.Errorf("header %s is %q, want %q", name, got, want)
				}
			}
			if diff := cmp.Diff(tt.cookie, header["Set-Cookie"]); diff != "" {
				t.Errorf("cookies (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailedInvocation(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	tests := []struct {
		name     string
		function lambda.HTTPFunction
		check    func(error) bool
	}{
		{"error", func(context.Context, request) (response, error) { return response{StatusCode: 200}, broken }, func(err error) bool { return errors.Is(err, broken) }},
		{"panic", func(context.Context, request) (response, error) { panic("oh") }, func(err error) bool {
			return strings.HasPrefix(err.Error(), "panic: oh\n") && strings.Contains(err.Error(), "gateway_test.go")
		}},
		{"no status", func(context.Context, request) (response, error) { return response{}, nil }, func(err error) bool { return err != nil }},
		{"bad base64", func(context.Context, request) (response, error) {
			return response{StatusCode: 200, Body: "?", IsBase64Encoded: true, Headers: map[string]string{"X-A": "1"}}, nil
		}, func(err error) bool { return err != nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var reported error
			server := startGateway(t, lambda.GatewayConfig{
				Functions: singleFunction(tt.function),
				Failed:    func(function string, err error) { reported = errors.Join(reported, err) },
			})
			status, header, body := doRequest(t, "GET", server.URL, nil, nil)
			if status != 500 || body != `{"message":"Internal Server Error"}` || header.Get("X-A") != "" {
				t.Errorf("got %d %v %s", status, header, body)
			}
			if !tt.check(reported) {
				t.Errorf("Failed was called with %v", reported)
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for name, obeys := range map[string]bool{"obeys its context": true, "ignores its context": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			defer close(release)
			server := startGateway(t, lambda.GatewayConfig{
				Timeout: time.Millisecond,
				Functions: singleFunction(func(ctx context.Context, _ request) (response, error) {
					if obeys {
						<-ctx.Done()
						return response{}, ctx.Err()
					}
					<-release
					return response{StatusCode: 200}, nil
				}),
			})
			status, _, body := doRequest(t, "GET", server.URL, nil, nil)
			if status != 503 || body != `{"message":"Service Unavailable"}` {
				t.Errorf("got %d %s", status, body)
			}
		})
	}
}

func TestClientThatGoesAwayDoesNotEndTheInvocation(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	gone := make(chan struct{})
	server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(ctx context.Context, _ request) (response, error) {
		leave()
		<-gone
		ended <- ctx.Err()
		return response{StatusCode: 200}, nil
	})})
	req, err := http.NewRequestWithContext(ctx, "GET", server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultTransport.RoundTrip(req); err == nil {
		_ = resp.Body.Close()
		t.Fatal("the client got a response though it disconnected")
	}
	close(gone)
	if err := <-ended; err != nil {
		t.Errorf("the invocation's context ended: %v", err)
	}
}

func TestFunctionLearnsItsRequestID(t *testing.T) {
	t.Parallel()
	server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(ctx context.Context, _ request) (response, error) {
		lc, _ := lambdacontext.FromContext(ctx)
		_, limited := ctx.Deadline()
		return response{StatusCode: 200, Body: lc.AwsRequestID + strconv.FormatBool(limited)}, nil
	})})
	if _, _, body := doRequest(t, "GET", server.URL, nil, nil); body != "request-1true" {
		t.Errorf("got %s", body)
	}
}

// connection records the read deadlines that a request's handler sets.
type connection struct {
	*httptest.ResponseRecorder
	deadlines []time.Time
}

// SetReadDeadline implements what http.ResponseController looks for.
func (c *connection) SetReadDeadline(at time.Time) error {
	c.deadlines = append(c.deadlines, at)
	return nil
}

// Reading a body has a deadline, so that a stalled client is cut off as on a deployment.
func TestReadingABodyHasADeadline(t *testing.T) {
	t.Parallel()
	gateway, err := lambda.NewGateway(lambda.GatewayConfig{
		Routes: []lambda.Route{{Path: "$default", Function: "f"}}, Functions: singleFunction(echoFunction("f")),
		Now: time.Now, NewID: func() string { return "request-1" }, Timeout: lambda.MaxWait,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := &connection{ResponseRecorder: httptest.NewRecorder()}
	gateway.ServeHTTP(c, httptest.NewRequest("POST", "/", strings.NewReader("body")))
	if len(c.deadlines) < 2 || !c.deadlines[0].After(time.Now()) || !c.deadlines[len(c.deadlines)-1].IsZero() {
		t.Errorf("got the deadlines %v; want one while the body comes, and none after it", c.deadlines)
	}
}

// A body that is announced as larger than what would be read of it is refused before it comes.
func TestHugeBodyIsNotAwaited(t *testing.T) {
	t.Parallel()
	server := startGateway(t, lambda.GatewayConfig{Functions: singleFunction(func(_ context.Context, e request) (response, error) {
		return response{StatusCode: 413, Body: strconv.Itoa(len(e.Body))}, nil
	})})
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 99000000000\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if want := strconv.Itoa(lambda.MaxBody + 1); err != nil || answer.StatusCode != 413 || string(text) != want || !answer.Close {
		t.Errorf("got %d %s, %v, closes: %t; want 413 for %s bytes, and the end of the connection", answer.StatusCode, text, err, answer.Close, want)
	}
}
