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
	"strconv"
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
	slug := parseSlug(r.URL.Query().Get("profile"))
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
		select {
		case <-time.After(profile.SlowAnswer):
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
		fallthrough
	default:
		writeJSON(w, http.StatusOK, newPersonAnswer(slug, profile.Invent(slug)))
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
	raw, _ := json.Marshal(body) // a value of this package
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

// answer is the body of a 200: {"status": 200, "likelihood": 1…10, "data": {…}}.
type answer struct {
	Status     int    `json:"status"`
	Likelihood int    `json:"likelihood"`
	Data       person `json:"data"`
}

// person holds the fields of the person schema that the adapter reads. A field
// without data is null.
type person struct {
	LinkedInURL      string  `json:"linkedin_url"`
	LinkedInUsername string  `json:"linkedin_username"`
	JobTitle         *string `json:"job_title"`
	JobCompanyName   *string `json:"job_company_name"`
	LocationName     *string `json:"location_name"`
	Experience       []job   `json:"experience"`
}

type job struct {
	Company   named   `json:"company"`
	Title     named   `json:"title"`
	StartDate string  `json:"start_date"`
	EndDate   *string `json:"end_date"`
	IsPrimary bool    `json:"is_primary"`
}

type named struct {
	Name *string `json:"name"`
}

// refusal is every other response. The type is an array on 404 and a string
// elsewhere, because the provider sends both.
type refusal struct {
	Status int `json:"status"`
	Error  struct {
		Type    any    `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
}

// newPersonAnswer returns the answer of a profile: a person whose current job is the only one.
func newPersonAnswer(slug string, p profile.Profile) answer {
	current := job{
		Company: named{optional.NonZero(p.Company)}, Title: named{optional.NonZero(p.Title)}, StartDate: "2021-03", IsPrimary: true,
	}
	return answer{Status: http.StatusOK, Likelihood: 10, Data: person{
		LinkedInURL: "linkedin.com/in/" + slug, LinkedInUsername: slug,
		JobTitle: current.Title.Name, JobCompanyName: current.Company.Name, LocationName: optional.NonZero(p.Location), Experience: []job{current},
	}}
}

// writeRefusal sends an error as the provider words it.
func writeRefusal(w http.ResponseWriter, status int) {
	body := refusal{Status: status}
	body.Error.Type = errorType(status)
	body.Error.Message = http.StatusText(status)
	writeJSON(w, status, body)
}

func errorType(status int) any {
	switch {
	case status == http.StatusNotFound:
		return []string{"not_found"}
	case status == http.StatusUnauthorized:
		return "authentication_error"
	case status == http.StatusPaymentRequired:
		return "payment_required"
	case status == http.StatusTooManyRequests:
		return "rate_limit_error"
	case status >= 500:
		return "api_error"
	}
	return "invalid_request_error"
}
