// Package provider stands in for People Data Labs: [StandIn] is an HTTP handler that
// speaks the wire format of its person enrichment API, version 5, with invented people.
//
// The local runner serves it, and tests connect the real adapter to it over a socket.
// It returns the outcome of each sandbox slug of package profile, and a person of
// [profile.Invent] for every other slug. A [Fault] makes it misbehave.
//
// It does not know real people, billing, or any other endpoint of that provider.
package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// StandIn serves GET /v5/person/enrich. The zero value is ready for use. It is safe
// for concurrent use.
type StandIn struct {
	// Wait pauses before a slow answer and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error

	fault atomic.Pointer[Fault]
	calls atomic.Int64
}

// Misbehave lets fault serve every later request; nil ends that.
func (s *StandIn) Misbehave(fault Fault) {
	if fault == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&fault)
}

// Calls returns the number of requests so far, each of which the provider would see.
func (s *StandIn) Calls() int64 { return s.calls.Load() }

// ServeHTTP implements http.Handler.
func (s *StandIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.calls.Add(1)
	slug := parseSlug(r.URL.Query().Get("profile"))
	fault := s.fault.Load()
	switch {
	case fault != nil:
		(*fault)(w, r, slug)
	case r.Method != http.MethodGet || r.URL.Path != "/v5/person/enrich":
		writeRefusal(w, http.StatusNotFound)
	case r.Header.Get("X-Api-Key") == "":
		writeRefusal(w, http.StatusUnauthorized)
	case slug == "":
		writeRefusal(w, http.StatusBadRequest)
	default:
		s.answerSlug(w, r, slug)
	}
}

// answerSlug sends the slug's outcome. For the crash slug it hangs up, which is as
// near to a crash as a provider can come.
func (s *StandIn) answerSlug(w http.ResponseWriter, r *http.Request, slug string) {
	switch slug {
	case profile.SlugNotFound:
		writeRefusal(w, http.StatusNotFound)
	case profile.SlugUnavailable:
		writeRefusal(w, http.StatusServiceUnavailable)
	case profile.SlugCrash:
		panic(http.ErrAbortHandler)
	case profile.SlugNoExperience:
		answer := newPersonAnswer(slug, profile.Invent(slug))
		answer.Data.Experience = []job{}
		writeJSON(w, http.StatusOK, answer)
	case profile.SlugSlow:
		if s.waitFor(r.Context(), profile.SlowAnswer) != nil {
			panic(http.ErrAbortHandler)
		}
		fallthrough
	default:
		writeJSON(w, http.StatusOK, newPersonAnswer(slug, profile.Invent(slug)))
	}
}

func (s *StandIn) waitFor(ctx context.Context, pause time.Duration) error {
	if s.Wait != nil {
		return s.Wait(ctx, pause)
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// parseSlug returns the slug of a profile parameter, which is a LinkedIn URL, usually
// without a scheme.
func parseSlug(address string) string {
	_, slug, _ := strings.Cut(address, "linkedin.com/in/")
	slug, err := url.PathUnescape(strings.TrimSuffix(slug, "/"))
	if err != nil {
		return ""
	}
	return slug
}

// writeJSON sends one JSON response with the headers that every response has.
func writeJSON(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err) // only values of this package are marshalled
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	_, _ = w.Write(raw) // the caller may have hung up
}

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
