package gateway

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Call is one request as a handler sees it: who calls, when, and which headers to
// send with the value. Handlers take the time and new ids from it.
type Call struct {
	// Caller is the key's caller; the zero value on public routes.
	Caller apikey.Caller
	// Now is when the request had arrived whole.
	Now time.Time
	// NewID returns a new UUID v7.
	NewID func() uuid.UUID
	// RequestID is the X-Request-Id of the response.
	RequestID string
	// Fingerprint is a hash of method, path and the body's bytes, to which an
	// Idempotency-Key is bound.
	Fingerprint string
	// BatchID is the batch that the request is about, for the log line. The handler sets it.
	BatchID string
	// Details are further attributes of the log line, without people's names. The handler sets them.
	Details []slog.Attr

	header http.Header
	// awaitCheck waits for the check of the key beside which the handler runs; nil if the key was checked before.
	awaitCheck func() error
}

// AwaitAdmission waits until the request's key was checked, and returns the tenant that the handler
// may write for. It fails if the key was refused or was changed. A handler that begins early
// ([Handler.BeginEarly]) calls it before it writes, and returns its error. For any other handler it
// does not wait.
func (c *Call) AwaitAdmission() (tenant.Admission, error) {
	if c.awaitCheck != nil {
		if err := c.awaitCheck(); err != nil {
			return tenant.Admission{}, err
		}
	}
	return tenant.Admit(c.Caller.Tenant()), nil
}

// SetRetryAfter sets the Retry-After header, in whole seconds, rounded up.
func (c *Call) SetRetryAfter(d time.Duration) {
	c.Header().Set("Retry-After", strconv.Itoa(ceilSeconds(d)))
}

// Header returns the further headers of a successful response, to be added to.
func (c *Call) Header() http.Header {
	if c.header == nil {
		c.header = http.Header{}
	}
	return c.header
}

// Replay reads into response what an earlier attempt stored, for the handler to return: the same
// value has the same bytes ([Encode]). It adds the header of a replayed response.
func (c *Call) Replay(stored []byte, response any) error {
	c.Header().Set("Idempotent-Replayed", "true")
	return json.Unmarshal(stored, response)
}

// exchange is one request as it passes through the gateway, with the data for its log line.
type exchange struct {
	*Gateway
	request *http.Request
	call    Call
	// began is when the request began to arrive.
	began time.Time
	// header holds the headers of the response.
	header http.Header
	// route is nil until one matched, failure and stack until something failed.
	route   *mounted
	failure *fault.Error
	stack   []byte
	// sampled is whether a successful read has a line.
	sampled bool
}

// ServeHTTP serves one request and writes at most one log line.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := g.cfg.NewID()
	x := &exchange{Gateway: g, header: w.Header(), began: g.cfg.Now(), sampled: isSampled(id, g.cfg.LogSample)}
	x.request = r.WithContext(cloud.WithRequestTrace(cloud.Metered(r.Context()), r.Header.Get(cloud.TraceHeader), x.began, id))
	x.call = Call{Now: x.began, NewID: g.cfg.NewID, RequestID: id.String()}
	a := x.answerRequest()
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead { // under Lambda nothing else drops the body
		_, _ = w.Write(a.body) // the client may have gone
	}
	x.logRequest(a.status)
}

// answerRequest returns a response in every case, after a panic too.
func (x *exchange) answerRequest() (a response) {
	defer func() {
		if v := recover(); v != nil {
			x.stack = debug.Stack()
			a = x.answerError(cloud.Panicked(v))
		}
	}()
	v, err := x.callHandler()
	switch {
	case errors.Is(err, errTooLarge):
		return x.answerTooLarge()
	case err != nil:
		return x.answerError(err)
	}
	return x.answerValue(v)
}

// callHandler runs the checks in their fixed order, then the handler. The body is
// read last, so a request that its headers already refuse costs no memory. A handler that
// may begin early runs beside the check of a key that has passed before.
func (x *exchange) callHandler() (any, error) {
	r := x.request
	if !x.fromOrigin(r.Header) {
		return nil, fault.Missing()
	}
	if r.ContentLength > contract.MaxBodyBytes {
		if r.Header.Get("Expect") == "" { // else the client waits for permission to send it
			discardBody(r.Body)
		}
		return nil, errTooLarge
	}
	var params map[string]string
	x.route, params = x.matchRoute(r.Method, r.URL.EscapedPath())
	if x.route == nil {
		return nil, refuseBody(r, fault.Missing())
	}
	if caller, ok := x.recallCaller(); ok {
		v, err := x.serveEarly(caller, params)
		if !errors.Is(err, errOtherCaller) {
			return v, err
		}
	} else if err := x.admitRequest(); err != nil {
		return nil, refuseBody(r, err)
	}
	return x.serveAdmitted(params)
}

// serveAdmitted reads the body and runs the handler. params are the parameters in the path.
func (x *exchange) serveAdmitted(params map[string]string) (any, error) {
	body, err := x.readBody()
	if err != nil {
		return nil, err
	}
	r := x.request
	ctx, cancel := context.WithTimeout(r.Context(), x.cfg.Budget)
	defer cancel()
	var in reflect.Value // a pointer to the operation's input; the zero Value if it takes none
	if x.route.Input != nil {
		in = reflect.New(x.route.Input)
	}
	ignored, err := decode.Into(decode.Request{
		Path: params, Query: r.URL.RawQuery, Header: r.Header, Body: body, LowerLimit: x.route.KeyType == contract.PersonalKey,
	}, contract.SchemaOf(x.route.Input), in)
	if len(ignored) > 0 { // at most 10 names, short
		names := ignored[:min(len(ignored), 10)]
		for i, name := range names {
			encoded := url.QueryEscape(name)
			names[i] = encoded[:min(len(encoded), 64)]
		}
		x.header.Set("X-Ignored-Params", strings.Join(names, ", "))
	}
	if err != nil {
		return nil, err
	}
	if x.call.Caller.NetworkOff && x.route.OnTalentNetwork() { // even for keys that hold its scopes
		return nil, fault.New(fault.Forbidden, contract.TalentNetworkDisabled,
			"The agency has no Talent Network access. Ask your marketplace contact to enable it.")
	}
	x.call.Fingerprint = hashRequest(r.Method, r.URL.EscapedPath(), body)
	return x.route.handler.serve(ctx, &x.call, in)
}

// slowRequest is the time from which a request always has a line: that of the strictest objective.
const slowRequest = time.Second

// isSampled reports whether a successful read with this request id has a line when one in so many has
// one. The last bytes of a UUID v7 are random.
func isSampled(id uuid.UUID, sample int) bool {
	return sample <= 1 || binary.BigEndian.Uint32(id[12:])%uint32(sample) == 0
}

// logRequest writes the one log line of a request, if it has one. It names the key by its id and the
// path by its pattern. Of a path that no route matched it has the length alone: a mistyped URL can
// be that of a person's profile. So it cannot contain a key, an address, a name, a body or a query value.
func (x *exchange) logRequest(status int) {
	took := x.cfg.Now().Sub(x.began)
	method := x.request.Method
	isRead := method == http.MethodGet || method == http.MethodHead
	isCommon := isRead && status < 400 && took < slowRequest
	if isCommon && !x.sampled {
		return
	}
	weight := 1
	if isCommon { // the line stands for those of requests without one, so that a sum of weights counts requests
		weight = max(x.cfg.LogSample, 1)
	}
	if !slices.Contains(knownMethods, method) {
		method = "other"
	}
	attrs := []slog.Attr{
		slog.String("request_id", x.call.RequestID),
		slog.String("client_request_id", cloud.LogID(x.request.Header.Get("X-Request-Id"))),
		slog.String("client_trace_id", cloud.ReadTraceParent(x.request.Header.Get("Traceparent"))),
		slog.String("version", x.cfg.Version),
		slog.String("method", method),
		slog.Int("status", status),
		slog.Int64("ms", took.Milliseconds()),
		slog.String("key_id", x.call.Caller.KeyID),
		slog.String("environment", x.call.Caller.Environment),
	}
	if x.route != nil {
		attrs = append(attrs, slog.String("operation", x.route.Operation), slog.String("route", x.route.Path))
	} else {
		attrs = append(attrs, slog.Int("path_length", len(x.request.URL.EscapedPath())))
	}
	if x.cfg.LogSample > 1 {
		attrs = append(attrs, slog.Int("weight", weight))
	}
	if x.call.BatchID != "" {
		attrs = append(attrs, slog.String("batch", x.call.BatchID))
	}
	attrs = append(attrs, x.call.Details...)
	if e := x.failure; e != nil {
		attrs = append(attrs, slog.String("code", string(e.Code)))
		if e.Cause != nil {
			attrs = append(attrs, slog.String("cause", e.Cause.Error()))
		}
	}
	if x.stack != nil {
		attrs = append(attrs, slog.String("stack", string(x.stack)))
	}
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	}
	x.cfg.Log.LogAttrs(cloud.Finished(x.request.Context()), level, "request", attrs...)
}

var knownMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
