package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// matchRoute returns the route of a method and an escaped path, and the decoded values
// of its parameters; nil if there is none. HEAD matches the public routes of GET. It neither
// redirects nor cleans paths. If a literal and a parameter both fit, the literal wins, even if it is another
// function's.
func (g *Gateway) matchRoute(method, escaped string) (best *mounted, values map[string]string) {
	sent := strings.Split(escaped, "/")
	for i := range g.routes {
		r := &g.routes[i]
		if !r.acceptsMethod(method) {
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

func (m *mounted) acceptsMethod(method string) bool {
	return m.Method == method || method == http.MethodHead && m.Method == http.MethodGet && m.Public()
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
