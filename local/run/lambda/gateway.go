package lambda

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// HTTPFunction is a function behind an HTTP API with payload format 2.0.
type HTTPFunction = func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

const (
	// MaxBody is the largest request body in bytes that a function receives whole. Of a larger one it receives
	// MaxBody+1 bytes, by which it detects and refuses it.
	MaxBody = contract.MaxBodyBytes
	// MaxHead is the largest size of request line and headers in bytes; above it the status is 431.
	MaxHead = 10240
	// MaxWait is how long HTTP API waits for a function before it responds with 503.
	MaxWait = 30 * time.Second

	// maxDrain bounds what is read and dropped of a body that is too large, so that the client reads the response.
	maxDrain = 64 << 20
)

// GatewayConfig configures a [Gateway]. All fields are required.
type GatewayConfig struct {
	Routes    []Route
	Functions map[string]HTTPFunction
	// Now returns the time of a request.
	Now func() time.Time
	// NewID returns the id of a request.
	NewID func() string
	// Timeout is how long a function may take, for HTTP API at most MaxWait.
	Timeout time.Duration
	// Failed is called for every failed invocation; the client does not see the reason.
	Failed func(function string, err error)
}

// Gateway is an HTTP API with payload format 2.0: it builds the event, calls the route's function and writes its
// response. Like HTTP API, it responds by itself with {"message":"…"} and the status
//
//	404 if no route matches and there is no $default
//	431 if request line and headers exceed MaxHead
//	500 if the invocation fails or its result is not an HTTP response
//	503 if the function takes too long
//
// A client that disconnects does not end the invocation.
type Gateway struct {
	config   GatewayConfig
	mux      *http.ServeMux // of found routes
	fallback *Route
}

// NewGateway returns a gateway. It fails if a route names a function that the configuration lacks, and panics if a route
// is given twice.
func NewGateway(config GatewayConfig) (*Gateway, error) {
	g := &Gateway{config: config, mux: http.NewServeMux()}
	for _, r := range config.Routes {
		switch {
		case config.Functions[r.Function] == nil:
			return nil, fmt.Errorf("route %s names a function that is not given: %s", r.key(), r.Function)
		case r.Path == defaultRoute:
			g.fallback = &r
		default:
			g.mux.Handle(r.key(), found{Route: r})
		}
	}
	return g, nil
}

// ServeHTTP implements http.Handler.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The size of request line and headers is approximate: net/http keeps no exact count.
	size := len(r.Method) + len(" ") + len(r.RequestURI) + len(" HTTP/1.1\r\n") + len("Host: \r\n") + len(r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(": ") + len(value) + len("\r\n")
		}
	}
	if size > MaxHead {
		writeStatus(w, http.StatusRequestHeaderFieldsTooLarge)
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		writeStatus(w, http.StatusBadRequest)
		return
	}
	route, variables := g.findRoute(r)
	if route == nil {
		writeStatus(w, http.StatusNotFound)
		return
	}
	event := newEvent(r, body, g.config.NewID(), g.config.Now())
	event.RouteKey = route.key()
	event.RequestContext.RouteKey = route.key()
	event.PathParameters = variables
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), g.config.Timeout)
	defer cancel()
	ctx = lambdacontext.NewContext(ctx, &lambdacontext.LambdaContext{AwsRequestID: event.RequestContext.RequestID})
	response, err := invokeFunction(ctx, g.config.Functions[route.Function], event)
	if err == nil {
		err = writeResponse(w, response)
	}
	if err == nil {
		return
	}
	g.config.Failed(route.Function, err)
	if ctx.Err() != nil {
		writeStatus(w, http.StatusServiceUnavailable)
		return
	}
	writeStatus(w, http.StatusInternalServerError)
}

func writeStatus(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"message":%q}`, http.StatusText(status))
}

// readBody reads at most one byte more than MaxBody. If the server responded while the client still sends, the client
// would see a broken connection, so up to maxDrain bytes of the rest are read and dropped.
// What is announced as larger than all that is not waited for: the function needs a length above its limit only.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > MaxBody+maxDrain {
		w.Header().Set("Connection", "close")
		return make([]byte, MaxBody+1), nil
	}
	paced := gateway.PaceBody(w, r, time.Now)
	body, err := io.ReadAll(io.LimitReader(paced, MaxBody+1))
	if err != nil || len(body) <= MaxBody {
		return body, err
	}
	w.Header().Set("Connection", "close")
	_, err = io.Copy(io.Discard, io.LimitReader(paced, maxDrain))
	return body, err
}

// Route sends the requests of one method and path to a function. Path may contain variables, "/batches/{batchId}", each
// of which matches one non-empty segment; a literal is preferred to a variable. The path "$default" matches what no
// other route does; its method is ignored.
type Route struct {
	Method, Path, Function string
}

const defaultRoute = "$default"

// key returns the route key as API Gateway writes it: "GET /batches/{batchId}".
func (r Route) key() string {
	if r.Path == defaultRoute {
		return defaultRoute
	}
	return r.Method + " " + r.Path
}

// found is a route in the mux, which only finds it and never serves it.
type found struct {
	http.Handler
	Route
}

// findRoute returns the route of a request and the variables of its path; nil if there is none. HTTP API decodes a path
// before it looks for the route, and takes it as it is, where a mux would redirect to a clean one; and a route of GET is none
// for HEAD, as it is for a mux.
func (g *Gateway) findRoute(r *http.Request) (*Route, map[string]string) {
	handler, _ := g.mux.Handler(&http.Request{Method: r.Method, URL: &url.URL{Path: r.URL.Path}})
	match, ok := handler.(found)
	if !ok || match.Method != r.Method {
		return g.fallback, nil
	}
	variables := map[string]string{}
	sent := strings.Split(r.URL.Path, "/")
	for i, segment := range strings.Split(match.Path, "/") {
		name, isVariable := strings.CutPrefix(segment, "{")
		if isVariable {
			variables[strings.TrimSuffix(name, "}")] = sent[i]
		}
	}
	return &match.Route, variables
}

// newEvent returns the request in payload format 2.0, without the fields that depend on the route.
func newEvent(r *http.Request, body []byte, id string, now time.Time) events.APIGatewayV2HTTPRequest {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	var cookies []string
	for _, header := range r.Header["Cookie"] {
		for cookie := range strings.SplitSeq(header, ";") {
			cookies = append(cookies, strings.TrimSpace(cookie))
		}
	}
	query := map[string]string{}
	for name, values := range r.URL.Query() {
		query[name] = strings.Join(values, ",")
	}
	path := "/" + strings.TrimPrefix(r.URL.Path, "/") // the path of OPTIONS * has no slash
	event := events.APIGatewayV2HTTPRequest{
		Version:               "2.0",
		RawPath:               path, // decoded, as by HTTP API, in spite of the name
		RawQueryString:        r.URL.RawQuery,
		Cookies:               cookies,
		Headers:               joinHeaders(r, host),
		QueryStringParameters: query,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			AccountID:    "000000000000",
			APIID:        "local",
			Stage:        "$default",
			RequestID:    id,
			DomainName:   r.Host, // with its port, so that links built from it work
			DomainPrefix: "local",
			Time:         now.UTC().Format("02/Jan/2006:15:04:05 -0700"),
			TimeEpoch:    now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method:    r.Method,
				Path:      path,
				Protocol:  r.Proto,
				SourceIP:  host,
				UserAgent: r.UserAgent(),
			},
		},
		Body: string(body),
	}
	// Text that is not UTF-8 is encoded too, which preserves it: JSON cannot hold it, and what HTTP API does is not documented.
	if len(body) > 0 && !(isText(r.Header.Get("Content-Type")) && utf8.Valid(body)) {
		event.Body = base64.StdEncoding.EncodeToString(body)
		event.IsBase64Encoded = true
	}
	return event
}

// joinHeaders returns the headers under lower-case names, repeated ones joined with commas, without cookies, which have
// their own field.
func joinHeaders(r *http.Request, sourceIP string) map[string]string {
	all := map[string]string{}
	for name, values := range r.Header {
		all[strings.ToLower(name)] = strings.Join(values, ",")
	}
	delete(all, "cookie")
	all["host"] = r.Host
	if before := all["x-forwarded-for"]; before != "" {
		sourceIP = before + ", " + sourceIP
	}
	all["x-forwarded-for"] = sourceIP
	all["x-forwarded-proto"] = "http"
	return all
}

// isText reports whether HTTP API passes a media type on as text. Form data is not text.
func isText(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
	}
	media = strings.ToLower(strings.TrimSpace(media))
	texts := []string{"application/json", "application/xml", "application/javascript"} // besides those of text/
	return slices.Contains(texts, media) || strings.HasPrefix(media, "text/")
}

// writeResponse writes a function's response as HTTP API does; it ignores multiValueHeaders. If it returns an error,
// nothing has been written.
func writeResponse(w http.ResponseWriter, response events.APIGatewayV2HTTPResponse) error {
	if response.StatusCode < 200 || response.StatusCode > 599 {
		return fmt.Errorf("the function answered status %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if response.IsBase64Encoded {
		var err error
		body, err = base64.StdEncoding.DecodeString(response.Body)
		if err != nil {
			return fmt.Errorf("the function's base64 body: %w", err)
		}
	}
	header := w.Header()
	for name, value := range response.Headers {
		if !hopByHop[http.CanonicalHeaderKey(name)] {
			header.Set(name, value)
		}
	}
	for _, cookie := range response.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "text/plain;charset=UTF-8")
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body) // the client may have disconnected, which the function cannot learn
	return nil
}

// hopByHop are the headers that only the gateway sets; those of a function are dropped.
var hopByHop = map[string]bool{"Connection": true, "Content-Length": true, "Transfer-Encoding": true}
