package lambda

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

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

// routeTable finds the route of a request.
type routeTable struct {
	mux      *http.ServeMux
	fallback *Route
}

// found is a route in the mux, which only finds it and never serves it.
type found struct {
	http.Handler
	Route
}

// newRouteTable returns the table of routes. The error is about a route without its function.
func newRouteTable(routes []Route, functions map[string]HTTPFunction) (*routeTable, error) {
	t := &routeTable{mux: http.NewServeMux()}
	for _, r := range routes {
		switch {
		case functions[r.Function] == nil:
			return nil, fmt.Errorf("route %s names a function that is not given: %s", r.key(), r.Function)
		case r.Path == defaultRoute:
			t.fallback = &r
		default:
			t.mux.Handle(r.key(), found{Route: r})
		}
	}
	return t, nil
}

// findRoute returns the route of a request and the variables of its path; nil if there is none. HTTP API decodes a path
// before it looks for the route, and takes it as it is, where a mux would redirect to a clean one; and a route of GET is none
// for HEAD, as it is for a mux.
func (t *routeTable) findRoute(r *http.Request) (*Route, map[string]string) {
	handler, _ := t.mux.Handler(&http.Request{Method: r.Method, URL: &url.URL{Path: r.URL.Path}})
	match, ok := handler.(found)
	if !ok || match.Method != r.Method {
		return t.fallback, nil
	}
	var variables map[string]string
	sent := strings.Split(r.URL.Path, "/")
	for i, segment := range strings.Split(match.Path, "/") {
		name, isVariable := strings.CutPrefix(segment, "{")
		if !isVariable {
			continue
		}
		if variables == nil {
			variables = map[string]string{}
		}
		variables[strings.TrimSuffix(name, "}")] = sent[i]
	}
	return &match.Route, variables
}
