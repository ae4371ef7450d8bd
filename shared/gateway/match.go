package gateway

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// splitPath returns the segments of a path.
func splitPath(path string) []string { return strings.Split(path, "/") }

// matchRoute returns the route of a method and an escaped path, and the decoded values
// of its parameters; nil if there is none. HEAD matches the public routes of GET. It neither
// redirects nor cleans paths. If a literal and a parameter both fit, the literal wins, even if it is another
// function's.
func (g *Gateway) matchRoute(method, escaped string) (*mounted, map[string]string) {
	sent := splitPath(escaped)
	var best *mounted
	for i := range g.routes {
		r := &g.routes[i]
		isMoreLiteral := best == nil || countParameters(r.segments) < countParameters(best.segments)
		if isMoreLiteral && r.acceptsMethod(method) && matchesPattern(r.segments, sent) {
			best = r
		}
	}
	if best == nil || best.handler.serve == nil {
		return nil, nil
	}
	decoded, ok := decodeParameters(best.segments, sent)
	if !ok {
		return nil, nil
	}
	return best, decoded
}

// acceptsMethod reports whether a route serves a method: a public one of GET serves HEAD too.
func (m *mounted) acceptsMethod(method string) bool {
	if method == http.MethodHead && m.Public() {
		return m.Method == http.MethodGet || m.Method == http.MethodHead
	}
	return m.Method == method
}

func matchesPattern(pattern, sent []string) bool {
	if len(pattern) != len(sent) {
		return false
	}
	for i, p := range pattern {
		_, isParameter := parameterName(p)
		isEmpty := sent[i] == "" && i > 0
		if isEmpty || !isParameter && p != sent[i] {
			return false
		}
	}
	return true
}

// decodeParameters returns the values of the parameters; false if one cannot be
// decoded.
func decodeParameters(pattern, sent []string) (map[string]string, bool) {
	var all map[string]string
	for i, p := range pattern {
		name, isParameter := parameterName(p)
		if !isParameter {
			continue
		}
		v, err := url.PathUnescape(sent[i])
		if err != nil || !utf8.ValidString(v) {
			return nil, false
		}
		if all == nil {
			all = map[string]string{}
		}
		all[name] = v
	}
	return all, true
}

// parameterName returns the name in a {name} segment.
func parameterName(segment string) (string, bool) {
	name, ok := strings.CutPrefix(segment, "{")
	return strings.TrimSuffix(name, "}"), ok
}

func countParameters(pattern []string) (n int) {
	for _, p := range pattern {
		if _, ok := parameterName(p); ok {
			n++
		}
	}
	return n
}

// Join returns a handler that passes each request to the one of the gateways that serves its route, and
// requests without a route to the first. Handlers that are no [Gateway] serve no route.
func Join(gateways ...http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, h := range gateways {
			if g, ok := h.(*Gateway); ok && g.servesRoute(r) {
				g.ServeHTTP(w, r)
				return
			}
		}
		gateways[0].ServeHTTP(w, r)
	})
}

// servesRoute reports whether the gateway has a handler for the request's method and path.
func (g *Gateway) servesRoute(r *http.Request) bool {
	route, _ := g.matchRoute(r.Method, r.URL.EscapedPath())
	return route != nil
}
