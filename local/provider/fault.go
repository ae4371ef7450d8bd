package provider

import (
	"io"
	"net/http"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// Fault is a way to misbehave: it answers in place of the stand-in. slug is what was
// asked for.
type Fault func(w http.ResponseWriter, r *http.Request, slug string)

// WithStatus refuses with the given status, worded as the provider does.
func WithStatus(status int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { writeRefusal(w, status) }
}

// WithHeader sets a header, such as x-ratelimit-reset, and goes on with fault.
func WithHeader(name, value string, fault Fault) Fault {
	return func(w http.ResponseWriter, r *http.Request, slug string) {
		w.Header().Set(name, value)
		fault(w, r, slug)
	}
}

// WithBody answers 200 and body, whatever it is: broken JSON, wrong types.
func WithBody(body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, body) }
}

// Oversized answers the right person in size bytes of valid JSON.
func Oversized(size int) Fault {
	return func(w http.ResponseWriter, _ *http.Request, slug string) {
		person := profile.Invent(slug)
		person.Experiences[0].Description = strings.Repeat("x", size)
		writeJSON(w, http.StatusOK, newPersonAnswer(slug, person))
	}
}

// OtherSlug answers a person with another profile than the one asked for.
func OtherSlug() Fault {
	return func(w http.ResponseWriter, _ *http.Request, slug string) {
		writeJSON(w, http.StatusOK, newPersonAnswer(slug+"-2", profile.Invent(slug)))
	}
}

// RedirectTo sends the caller to another address.
func RedirectTo(address string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, address, http.StatusFound)
	}
}

// Silent never answers: it holds the request until the caller gives up.
func Silent() Fault {
	return func(_ http.ResponseWriter, r *http.Request, _ string) {
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
}

// Stalled sends the start of an answer and holds the rest until the caller gives up.
func Stalled() Fault {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		_, _ = io.WriteString(w, `{"status": 200, "data": {`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
}
