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
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// StandIn serves GET /v5/person/enrich. The zero value is ready for use. It is safe
// for concurrent use.
type StandIn struct {
	fault atomic.Pointer[Fault]
	calls atomic.Int64
}

// Misbehave lets fault serve every later request; nil ends that.
func (s *StandIn) Misbehave(fault Fault) { s.fault.Store(&fault) }

// Calls returns the number of requests so far, each of which the provider would see.
func (s *StandIn) Calls() int64 { return s.calls.Load() }

// ServeHTTP implements http.Handler.
func (s *StandIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.calls.Add(1)
	// The parameter is a LinkedIn URL, usually without a scheme.
	_, slug, _ := strings.Cut(r.URL.Query().Get("profile"), "linkedin.com/in/")
	slug, _ = url.PathUnescape(strings.TrimSuffix(slug, "/")) // "" with an error
	fault := s.fault.Load()
	switch {
	case fault != nil && *fault != nil:
		(*fault)(w, r, slug)
	case r.Method != http.MethodGet || r.URL.Path != "/v5/person/enrich":
		writeRefusal(w, http.StatusNotFound)
	case r.Header.Get("X-Api-Key") == "":
		writeRefusal(w, http.StatusUnauthorized)
	case slug == "":
		writeRefusal(w, http.StatusBadRequest)
	default:
		answerSlug(w, r, slug)
	}
}

// answerSlug sends the slug's outcome. For the crash slug it hangs up, which is as
// near to a crash as a provider can come.
func answerSlug(w http.ResponseWriter, r *http.Request, slug string) {
	person := newPerson(slug)
	switch slug {
	case profile.SlugNotFound:
		writeRefusal(w, http.StatusNotFound)
		return
	case profile.SlugUnavailable:
		writeRefusal(w, http.StatusServiceUnavailable)
		return
	case profile.SlugCrash:
		panic(http.ErrAbortHandler)
	case profile.SlugNoExperience:
		person["experience"] = []object{}
	case profile.SlugSlow:
		select {
		case <-time.After(profile.SlowAnswer):
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
	}
	// The likelihood, 1 to 10, is that it is the person who was asked for.
	writeJSON(w, http.StatusOK, object{"status": http.StatusOK, "likelihood": 10, "data": person})
}

type object = map[string]any

func writeJSON(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller may have hung up
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

// newPerson returns the fields of the person schema that the adapter reads, of an invented person whose current job is the only one. A
// field without data is null.
func newPerson(slug string) object {
	p := profile.Invent(slug)
	company := optional.NonZero(p.Company)
	title := optional.NonZero(p.Title)
	return object{
		"linkedin_url": "linkedin.com/in/" + slug, "linkedin_username": slug,
		"job_title": title, "job_company_name": company, "location_name": optional.NonZero(p.Location),
		"experience": []object{{
			"company": object{"name": company}, "title": object{"name": title}, "start_date": "2021-03", "end_date": nil, "is_primary": true,
		}},
	}
}

// writeRefusal sends an error as the provider words it. The type is an array on 404 and a string
// elsewhere, because the provider sends both.
func writeRefusal(w http.ResponseWriter, status int) {
	kind := errorTypes[status]
	switch {
	case kind != nil:
	case status >= 500:
		kind = "api_error"
	default:
		kind = "invalid_request_error"
	}
	writeJSON(w, status, object{"status": status, "error": object{"type": kind, "message": http.StatusText(status)}})
}

var errorTypes = map[int]any{
	http.StatusNotFound:        []string{"not_found"},
	http.StatusUnauthorized:    "authentication_error",
	http.StatusPaymentRequired: "payment_required",
	http.StatusTooManyRequests: "rate_limit_error",
}
