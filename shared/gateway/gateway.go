// Package gateway is the HTTP edge of every function. A request passes, in this
// order: origin → declared size → route → API key and its rate → key type and scopes →
// body → decoding → handler → response → one log line.
//
// It knows the routes of package contract, how a value or an error becomes bytes, and
// which headers go with it. It does not know what a request means, storage, or where
// it runs: package lambdahttp puts it behind API Gateway, and a server can mount it as
// it is.
//
// A handler takes its operation's input and returns its output or an error; it never
// writes the response. [New] refuses, at start, handlers that do not fit the routes.
package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Authenticator authenticates a request and counts it.
type Authenticator interface {
	// Authenticate takes the Authorization header as sent. The error is a *fault.Error
	// of kind Unauthenticated or TooMany; with TooMany the Authentication is filled
	// all the same. Any other error is an internal one.
	Authenticate(ctx context.Context, authorization string, tier contract.Tier, now time.Time) (apikey.Authentication, error)
	// Recall returns the caller of a key that this process has authenticated before and, as far
	// as it knows, would authenticate now. It makes no call, and counts nothing.
	Recall(authorization string, tier contract.Tier, now time.Time) (apikey.Caller, bool)
}

// Config is what a gateway needs; all fields without a stated default are required.
type Config struct {
	// Function selects the routes that are served; all others are unknown here.
	Function contract.Function
	// Authenticator may be nil if all the function's routes are public.
	Authenticator Authenticator
	// Now returns the time of a request, NewID a new UUID v7.
	Now   func() time.Time
	NewID func() uuid.UUID
	Log   *slog.Logger
	// Budget is how long a handler may work; 0 means DefaultBudget.
	Budget time.Duration
	// OriginSecrets are the accepted values of the X-Origin-Secret header; none
	// means that every origin is accepted.
	OriginSecrets []string
	// Version is the deployed one, for the log.
	Version string
	// GzipFrom is the size in bytes from which JSON of a successful response is compressed for callers
	// who accept gzip; 0 means none.
	GzipFrom int
	// LogSample lets one in so many successful reads have a line in the log; 0 and 1 mean all. What
	// changed something, failed or was slow always has one.
	LogSample int
}

// DefaultBudget is the time that a handler has: a second less than its function,
// so that a caller who waited too long gets our response and not Lambda's.
const DefaultBudget = topology.HTTPTimeout - time.Second

// Gateway serves the routes of one function. It is an http.Handler.
type Gateway struct {
	cfg    Config
	routes []mounted
}

// mounted is a row of the table, with its handler if it is served here.
type mounted struct {
	contract.Route
	segments []string
	handler  Handler
}

// New returns a gateway with one handler per operation. It refuses an incomplete configuration, a handler that the
// table does not know as one of this function, one with types other than its row's, and a row without one.
func New(cfg Config, handlers map[string]Handler) (*Gateway, error) {
	if cfg.Now == nil || cfg.NewID == nil || cfg.Log == nil {
		return nil, errors.New("gateway: Now, NewID and Log are required")
	}
	if cfg.Budget == 0 {
		cfg.Budget = DefaultBudget
	}
	g := &Gateway{cfg: cfg}
	unknown := maps.Clone(handlers)
	var problems []error
	for _, r := range contract.Routes {
		m := mounted{Route: r, segments: strings.Split(contract.BasePath+r.Path, "/")}
		if r.Function == cfg.Function {
			m.handler = handlers[r.Operation]
			problems = append(problems, g.checkHandler(m))
			delete(unknown, r.Operation)
		}
		g.routes = append(g.routes, m)
	}
	for _, operation := range slices.Sorted(maps.Keys(unknown)) {
		problems = append(problems, fmt.Errorf("gateway: %s is not an operation of %s", operation, cfg.Function))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return g, nil
}

// checkHandler returns what is wrong with the handler of a route of this function. A route without output
// type responds with a [Page].
func (g *Gateway) checkHandler(m mounted) error {
	h := m.handler
	out := cmp.Or(m.Output, reflect.TypeFor[Page]())
	switch {
	case h.serve == nil:
		return fmt.Errorf("gateway: %s has no handler", m.Operation)
	case h.in != m.Input || h.out != out:
		return fmt.Errorf("gateway: the handler of %s takes %v and gives %v, its row says %v and %v", m.Operation, h.in, h.out, m.Input, m.Output)
	case !m.Public() && g.cfg.Authenticator == nil:
		return fmt.Errorf("gateway: %s needs an Authenticator", m.Operation)
	}
	return nil
}

// Open returns the gateway of a function in its surroundings: the keys of the accounts
// table, and the settings ORIGIN_SECRETS (comma separated), REQUEST_TIMEOUT
// (the Budget, a Go duration), VERSION, GZIP_FROM and LOG_SAMPLE. It fails on what the function could not
// open.
func Open(o *cloud.Opener, function contract.Function, handlers map[string]Handler) (http.Handler, error) {
	cfg := Config{
		Function: function, Authenticator: apikey.Open(o), Now: o.Now, NewID: o.NewID, Log: o.Log,
		Budget:        o.Duration("REQUEST_TIMEOUT", DefaultBudget),
		OriginSecrets: o.List(topology.SettingOriginSecrets), Version: o.Getenv(topology.SettingVersion),
		GzipFrom: o.Int(topology.SettingGzipFrom, 0), LogSample: o.Int(topology.SettingLogSample, 1),
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	return New(cfg, handlers)
}

// Handler serves one operation. [Handle] and [HandleNoInput] return one.
type Handler struct {
	// in and out are the wire types; in is nil without input.
	in, out reflect.Type
	// serve takes a pointer to the input.
	serve func(ctx context.Context, call *Call, in reflect.Value) (any, error)
	// early says that it may run before the key is checked.
	early bool
}

// BeginEarly returns a handler that may begin while the request's key is still being checked, as the caller that the
// key had when this process last checked it. Its result is dropped if the key is refused, and it runs again if the
// key has another caller now. Before it writes it waits for [Call.AwaitAdmission], which alone opens a
// [tenant.Guarded]; a handler that only reads need not.
func (h Handler) BeginEarly() Handler {
	h.early = true
	return h
}

// PreferEventual returns a handler that reads eventually consistently first ([cloud.PreferEventual]).
func (h Handler) PreferEventual() Handler {
	serve := h.serve
	h.serve = func(ctx context.Context, call *Call, in reflect.Value) (any, error) {
		return cloud.PreferEventual(ctx, func(ctx context.Context) (any, error) { return serve(ctx, call, in) })
	}
	return h
}

// Handle returns the handler of an operation with input. The function must have the input and output types of its
// route; [New] checks that.
func Handle[In, Out any](serve func(context.Context, *Call, In) (Out, error)) Handler {
	return Handler{
		in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		serve: func(ctx context.Context, call *Call, in reflect.Value) (any, error) {
			return serve(ctx, call, *in.Interface().(*In))
		},
	}
}

// HandleWrite returns the handler of an operation that gets what it writes with once its request is admitted.
func HandleWrite[W, In, Out any](guarded tenant.Guarded[W], serve func(context.Context, *Call, W, In) (Out, error)) Handler {
	return Handle(func(ctx context.Context, call *Call, in In) (none Out, _ error) {
		writers, err := guarded.Open(call.AwaitAdmission())
		if err != nil {
			return none, err
		}
		return serve(ctx, call, writers, in)
	})
}

// HandleNoInput returns the handler of an operation without input.
func HandleNoInput[Out any](serve func(context.Context, *Call) (Out, error)) Handler {
	return Handler{
		out: reflect.TypeFor[Out](),
		serve: func(ctx context.Context, call *Call, _ reflect.Value) (any, error) {
			return serve(ctx, call)
		},
	}
}

// matchRoute returns the route of a method and an escaped path, and the decoded values
// of its parameters; nil if there is none. HEAD matches the public routes of GET. It neither
// redirects nor cleans paths. If a literal and a parameter both fit, the literal wins, even if it is another
// function's.
func (g *Gateway) matchRoute(method, escaped string) (best *mounted, values map[string]string) {
	sent := strings.Split(escaped, "/")
	for i := range g.routes {
		r := &g.routes[i]
		isHead := method == http.MethodHead && r.Method == http.MethodGet && r.Public()
		if r.Method != method && !isHead {
			continue
		}
		found, ok := matchPath(r.segments, sent)
		isMoreLiteral := best == nil || len(found) < len(values)
		if ok && isMoreLiteral {
			best = r
			values = found
		}
	}
	if best == nil || best.handler.serve == nil {
		return nil, nil
	}
	return best, values
}

// matchPath returns the decoded values of the parameters of a pattern, which are {name} segments; false if the
// path does not fit or cannot be decoded.
func matchPath(pattern, sent []string) (values map[string]string, ok bool) {
	if len(pattern) != len(sent) {
		return nil, false
	}
	for i, p := range pattern {
		name, isParameter := strings.CutPrefix(p, "{")
		if !isParameter {
			if p != sent[i] {
				return nil, false
			}
			continue
		}
		v, err := url.PathUnescape(sent[i])
		if err != nil || v == "" || !utf8.ValidString(v) {
			return nil, false
		}
		if values == nil {
			values = map[string]string{}
		}
		values[strings.TrimSuffix(name, "}")] = v
	}
	return values, true
}

// Join returns a handler that passes each request to the one of the gateways that serves its route, and
// requests without a route to the first. Handlers that are no [Gateway] serve no route.
func Join(gateways ...http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, h := range gateways {
			g, ok := h.(*Gateway)
			if !ok {
				continue
			}
			if route, _ := g.matchRoute(r.Method, r.URL.EscapedPath()); route != nil {
				g.ServeHTTP(w, r)
				return
			}
		}
		gateways[0].ServeHTTP(w, r)
	})
}
