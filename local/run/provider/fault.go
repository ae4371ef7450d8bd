package provider

import (
	"io"
	"net/http"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

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

// WithBody sends a 200 with any body, such as broken JSON or wrong types.
func WithBody(body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, body) }
}

// Oversized sends the right person in more than size bytes of valid JSON.
func Oversized(size int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, slug string) {
		person := profile.Invent(slug)
		person.Experiences[0].Description = strings.Repeat("x", size)
		writeJSON(w, http.StatusOK, newPersonAnswer(slug, person))
	}
}

// OtherSlug sends a person with another profile than the requested one.
func OtherSlug() Fault {
	return func(w http.ResponseWriter, _ *http.Request, slug string) {
		writeJSON(w, http.StatusOK, newPersonAnswer(slug+"-2", profile.Invent(slug)))
	}
}

// RedirectTo redirects the caller to another address.
func RedirectTo(address string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, address, http.StatusFound)
	}
}

// Silent never responds: it holds the request until the caller gives up.
func Silent() Fault {
	return func(_ http.ResponseWriter, r *http.Request, _ string) {
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
}

// Stalled sends the start of a response and holds the rest until the caller gives up.
func Stalled() Fault {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		_, _ = io.WriteString(w, `{"status": 200, "data": {`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
}
