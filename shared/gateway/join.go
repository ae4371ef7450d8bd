package gateway

import "net/http"

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
