package provider

import "net/http"

// Fault is a way to misbehave: it serves a request for slug in place of the stand-in.
type Fault func(w http.ResponseWriter, r *http.Request, slug string)

// WithStatus sends an error with the given status, as the provider words it.
func WithStatus(status int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { writeRefusal(w, status) }
}

// WithHeader sets a header, such as x-ratelimit-reset, and continues with fault.
func WithHeader(name, value string, fault Fault) Fault {
	return func(w http.ResponseWriter, r *http.Request, slug string) {
		w.Header().Set(name, value)
		fault(w, r, slug)
	}
}
