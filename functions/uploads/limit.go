package main

import "net/http"

// slots is how many requests are served at a time: a body takes up to five times
// its size while it is decoded, so as many of 12 MB fit into the task's 1 GB.
const slots = 12

// limitRequests serves the balancer's health check itself and hands the other requests
// to the handlers, so many at a time; further ones wait, unread.
func limitRequests(handlers http.Handler) http.Handler {
	free := make(chan struct{}, slots)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			w.WriteHeader(http.StatusOK)
			return
		}
		select {
		case free <- struct{}{}:
			defer func() { <-free }()
			handlers.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}
