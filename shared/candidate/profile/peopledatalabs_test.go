package profile_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

const (
	testKey = "secret-key-of-ours"
	slug    = "maya-lind"
)

// peopleDataLabsBody returns a response in the format of People Data Labs.
func peopleDataLabsBody(slug, experience string) string {
	return `{"status":200,"likelihood":9,"data":{"full_name":"Maya Lind","linkedin_url":"linkedin.com/in/` + slug +
		`","linkedin_username":"` + slug + `","job_title":"Engineer","job_company_name":"Example Quarry","location_name":"Leeds","experience":` + experience + `}}`
}

const oneJob = `[{"company":{"name":"Example Quarry"},"title":{"name":"Engineer"},"start_date":"2021-03","end_date":null,"is_primary":true}]`

// servedProvider is the adapter for one server; waits collects its pauses.
type servedProvider struct {
	profile.PeopleDataLabs
	calls atomic.Int64
	waits []time.Duration
}

func startPeopleDataLabs(t *testing.T, handler http.HandlerFunc) *servedProvider {
	t.Helper()
	s := &servedProvider{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	s.PeopleDataLabs = profile.PeopleDataLabs{
		BaseURL: server.URL, APIKey: testKey, Timeout: 20 * time.Second, // a hang guard
		Wait: func(ctx context.Context, pause time.Duration) error {
			s.waits = append(s.waits, pause)
			return ctx.Err()
		},
	}
	return s
}

func respondWith(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

// TestMapping is the table of answers and outcomes, row by row.
func TestMapping(t *testing.T) {
	t.Parallel()
	notFound := profile.ErrNotFound
	noExperience := profile.ErrNoExperience
	operator := func(status int, word string) error {
		return &profile.Unavailable{Reason: profile.Status, StatusCode: status, ErrorType: word, Operator: true}
	}
	retry := func(reason profile.Reason, status int) error {
		return &profile.Unavailable{Reason: reason, StatusCode: status, Retryable: true}
	}
	malformed := retry(profile.Malformed, 0)
	tests := map[string]struct {
		handler http.HandlerFunc
		want    error
		calls   int64
	}{
		"verified":                    {respondWith(200, peopleDataLabsBody(slug, oneJob)), nil, 1},
		"verified by title alone":     {respondWith(200, peopleDataLabsBody(slug, `[{"title":{"name":"Engineer"}}]`)), nil, 1},
		"verified by company alone":   {respondWith(200, peopleDataLabsBody(slug, `[{"company":{"name":"Example Quarry"}}]`)), nil, 1},
		"other slug":                  {respondWith(200, peopleDataLabsBody("maya-lind-2", oneJob)), notFound, 1},
		"other slug, no experience":   {respondWith(200, peopleDataLabsBody("maya-lind-2", `[]`)), notFound, 1},
		"longer slug":                 {respondWith(200, peopleDataLabsBody("maya-lindberg", oneJob)), notFound, 1},
		"no slug":                     {respondWith(200, `{"status":200,"data":{"linkedin_url":null,"linkedin_username":null,"experience":`+oneJob+`}}`), notFound, 1},
		"empty experience":            {respondWith(200, peopleDataLabsBody(slug, `[]`)), noExperience, 1},
		"null experience":             {respondWith(200, peopleDataLabsBody(slug, `null`)), noExperience, 1},
		"unusable experience":         {respondWith(200, peopleDataLabsBody(slug, `[{"start_date":"2020"},{"company":{"name":" "},"title":{"name":null}},7,null,"x"]`)), noExperience, 1},
		"404":                         {respondWith(404, `{"status":404,"error":{"type":["not_found"],"message":"x"}}`), notFound, 1},
		"404 without a body":          {respondWith(404, ``), notFound, 1},
		"404 inside a 200":            {respondWith(200, `{"status":404,"error":{"type":"not_found","message":"x"}}`), notFound, 1},
		"410 deleted":                 {respondWith(410, ``), notFound, 1},
		"453":                         {respondWith(453, ``), notFound, 1},
		"400":                         {respondWith(400, `{"error":{"type":["invalid_request_error"]}}`), operator(400, "invalid_request_error"), 1},
		"401":                         {respondWith(401, `{"error":{"type":"authentication_error"}}`), operator(401, "authentication_error"), 1},
		"402":                         {respondWith(402, `{"error":{"type":["x","payment_required"]}}`), operator(402, "payment_required"), 1},
		"402 inside a 200":            {respondWith(200, `{"status":402}`), operator(402, ""), 1},
		"403 with wrong types":        {respondWith(403, `{"error":{"type":{"a":1}}}`), operator(403, ""), 1},
		"422 that quotes the request": {respondWith(422, `{"error":{"type":"maya-lind"}}`), operator(422, ""), 1},
		"405":                         {respondWith(405, `<html>`), operator(405, ""), 1},
		"408":                         {respondWith(408, ``), retry(profile.Status, 408), 2},
		"429":                         {respondWith(429, ``), retry(profile.Status, 429), 2},
		"500":                         {respondWith(500, strings.Repeat("x", 5<<20)), retry(profile.Status, 500), 2},
		"503":                         {respondWith(503, ``), retry(profile.Status, 503), 2},
		"999":                         {respondWith(999, ``), retry(profile.Status, 999), 2},
		"204":                         {respondWith(204, ``), retry(profile.Status, 204), 2},
		"302":                         {respondWith(302, ``), retry(profile.Redirected, 302), 2},
		"304":                         {respondWith(304, ``), retry(profile.Redirected, 304), 2},
		"bad JSON":                    {respondWith(200, `{"status":200,"data":{`), malformed, 2},
		"empty body":                  {respondWith(200, ``), malformed, 2},
		"HTML":                        {respondWith(200, `<html>maya-lind</html>`), malformed, 2},
		"two documents":               {respondWith(200, peopleDataLabsBody(slug, oneJob)+`{}`), malformed, 2},
		"top level is a list":         {respondWith(200, `[]`), malformed, 2},
		"null":                        {respondWith(200, `null`), malformed, 2},
		"data is missing":             {respondWith(200, `{"status":200}`), malformed, 2},
		"data is a string":            {respondWith(200, `{"status":200,"data":"maya-lind"}`), malformed, 2},
		"slug is a number":            {respondWith(200, `{"data":{"linkedin_username":7,"experience":`+oneJob+`}}`), malformed, 2},
		"experience is a string":      {respondWith(200, peopleDataLabsBody(slug, `"yes"`)), malformed, 2},
		"experience is not in plan":   {respondWith(200, peopleDataLabsBody(slug, `true`)), malformed, 2},
		"status is a string":          {respondWith(200, `{"status":"fine","data":{}}`), malformed, 2},
		"too deep":                    {respondWith(200, strings.Repeat(`[`, 100_000)), malformed, 2},
		"5 MB":                        {respondWith(200, peopleDataLabsBody(slug, `[{"summary":"`+strings.Repeat("x", 5<<20)+`"}]`)), retry(profile.TooLarge, 0), 2},
		"5 MB behind gzip":            {writeGzipped, retry(profile.TooLarge, 0), 2},
		"hangs up":                    {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, retry(profile.Connection, 0), 2},
		"cut off":                     {writeTruncated, retry(profile.Connection, 0), 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startPeopleDataLabs(t, test.handler)
			found, err := s.Profile(t.Context(), slug)
			compareOutcome(t, err, test.want)
			if s.calls.Load() != test.calls {
				t.Errorf("asked %d times, want %d", s.calls.Load(), test.calls)
			}
			if len(s.waits) != int(test.calls)-1 {
				t.Errorf("paused %v before %d attempts", s.waits, test.calls)
			}
			if (err == nil) != (found.Title == "Engineer") {
				t.Errorf("error %v beside profile %+v", err, found)
			}
		})
	}
}

// compareOutcome compares what a caller can see of an outcome, and that its text
// names neither the person nor the key.
func compareOutcome(t *testing.T, got, want error) {
	t.Helper()
	var down, wantDown *profile.Unavailable
	if errors.As(want, &wantDown) {
		if !errors.As(got, &down) {
			t.Fatalf("got %v, want %v", got, want)
		}
		seen := *down
		if diff := cmp.Diff(visibleFields(*wantDown), visibleFields(seen)); diff != "" {
			t.Errorf("outcome (-want +got):\n%s", diff)
		}
	} else if !errors.Is(got, want) || (want == nil) != (got == nil) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if got != nil && (strings.Contains(got.Error(), "maya") || strings.Contains(got.Error(), testKey)) {
		t.Errorf("the error tells too much: %v", got)
	}
}

// visibleFields returns an Unavailable without its cause, which differs by operating system.
func visibleFields(u profile.Unavailable) map[string]any {
	return map[string]any{"reason": u.Reason, "status": u.StatusCode, "type": u.ErrorType,
		"retryable": u.Retryable, "operator": u.Operator, "after": u.RetryAfter}
}

func writeGzipped(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	writer := gzip.NewWriter(w)
	_, _ = io.WriteString(writer, `"`+strings.Repeat(" ", 5<<20))
	_ = writer.Close()
}

func writeTruncated(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "500")
	_, _ = io.WriteString(w, `{"status":200`)
}

func TestRequestIsTheProvidersWire(t *testing.T) {
	t.Parallel()
	var got *http.Request
	s := startPeopleDataLabs(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		respondWith(200, peopleDataLabsBody("jos%c3%a9-d%c3%adaz", oneJob))(w, r)
	})
	s.BaseURL += "/"
	if _, err := s.Profile(t.Context(), "josé-díaz"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"method": "GET", "path": "/v5/person/enrich", "key": testKey, "min_likelihood": "6", "titlecase": "true",
		"profile": "linkedin.com/in/jos%C3%A9-d%C3%ADaz",
	}
	query := got.URL.Query()
	seen := map[string]string{
		"method": got.Method, "path": got.URL.Path, "key": got.Header.Get("X-Api-Key"),
		"min_likelihood": query.Get("min_likelihood"), "titlecase": query.Get("titlecase"), "profile": query.Get("profile"),
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if strings.Contains(got.URL.String(), testKey) {
		t.Error("the key is in the URL")
	}
}

func TestSecondAttemptVerifies(t *testing.T) {
	t.Parallel()
	var s *servedProvider
	s = startPeopleDataLabs(t, func(w http.ResponseWriter, r *http.Request) {
		if s.calls.Load() == 1 {
			respondWith(502, "")(w, r)
			return
		}
		respondWith(200, peopleDataLabsBody(slug, oneJob))(w, r)
	})
	found, err := s.Profile(t.Context(), slug)
	if err != nil || found.Title != "Engineer" {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	thief := startPeopleDataLabs(t, respondWith(200, peopleDataLabsBody(slug, oneJob)))
	s := startPeopleDataLabs(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, thief.BaseURL, http.StatusFound) })
	_, err := s.Profile(t.Context(), slug)
	compareOutcome(t, err, &profile.Unavailable{Reason: profile.Redirected, StatusCode: 302, Retryable: true})
	if n := thief.calls.Load(); n != 0 {
		t.Errorf("the key was carried elsewhere %d times", n)
	}
}

func TestSlowProviderTimesOut(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]string{"no answer": "", "half an answer": `{"status":200,`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startPeopleDataLabs(t, func(w http.ResponseWriter, r *http.Request) {
				if start != "" {
					_, _ = io.WriteString(w, start)
					_ = http.NewResponseController(w).Flush()
				}
				<-r.Context().Done()
			})
			s.Timeout = 30 * time.Millisecond
			_, err := s.Profile(t.Context(), slug)
			compareOutcome(t, err, &profile.Unavailable{Reason: profile.TimedOut, Retryable: true})
			if !errors.Is(err, context.DeadlineExceeded) || len(s.waits) != 1 {
				t.Errorf("got %v after pauses %v", err, s.waits)
			}
		})
	}
}

func TestCallerGivesUp(t *testing.T) {
	t.Parallel()
	canceled := &profile.Unavailable{Reason: profile.Canceled, Retryable: true}
	t.Run("while asking", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := startPeopleDataLabs(t, func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		_, err := s.Profile(ctx, slug)
		compareOutcome(t, err, canceled)
		if !errors.Is(err, context.Canceled) || s.calls.Load() != 1 {
			t.Errorf("got %v after %d calls", err, s.calls.Load())
		}
	})
	t.Run("while pausing", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := startPeopleDataLabs(t, func(w http.ResponseWriter, r *http.Request) { respondWith(503, "")(w, r) })
		s.Wait = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
		_, err := s.Profile(ctx, slug)
		compareOutcome(t, err, canceled)
		if s.calls.Load() != 1 {
			t.Errorf("asked %d times", s.calls.Load())
		}
	})
}

func TestRateLimitWish(t *testing.T) {
	t.Parallel()
	date := "Tue, 02 Jan 2024 03:04:05 GMT"
	tests := map[string]struct {
		header map[string]string
		after  time.Duration
		waits  []time.Duration
	}{
		"none":               {nil, 0, []time.Duration{time.Second}},
		"time stamp":         {map[string]string{"X-Ratelimit-Reset": "2024-01-02T03:04:08Z"}, 3 * time.Second, []time.Duration{3 * time.Second}},
		"quoted time stamp":  {map[string]string{"X-Ratelimit-Reset": `"2024-01-02T03:04:09Z"`}, 4 * time.Second, []time.Duration{4 * time.Second}},
		"epoch second":       {map[string]string{"X-Ratelimit-Reset": "1704164649"}, 4 * time.Second, []time.Duration{4 * time.Second}},
		"too long":           {map[string]string{"X-Ratelimit-Reset": "2024-01-02T03:05:00Z"}, 55 * time.Second, nil},
		"past":               {map[string]string{"X-Ratelimit-Reset": "2020-01-01T00:00:00Z"}, 0, []time.Duration{time.Second}},
		"absurd":             {map[string]string{"X-Ratelimit-Reset": "9223372036854775807"}, 0, []time.Duration{time.Second}},
		"next century":       {map[string]string{"X-Ratelimit-Reset": "2124-01-02T03:05:00Z"}, 24 * time.Hour, nil},
		"nonsense":           {map[string]string{"X-Ratelimit-Reset": "soon"}, 0, []time.Duration{time.Second}},
		"seconds":            {map[string]string{"Retry-After": "2"}, 2 * time.Second, []time.Duration{2 * time.Second}},
		"negative seconds":   {map[string]string{"Retry-After": "-9223372036854775807"}, 0, []time.Duration{time.Second}},
		"a date":             {map[string]string{"Retry-After": "Tue, 02 Jan 2024 03:04:08 GMT"}, 3 * time.Second, []time.Duration{3 * time.Second}},
		"a far date":         {map[string]string{"Retry-After": "Tue, 02 Jan 2124 03:04:08 GMT"}, 24 * time.Hour, nil},
		"a date without now": {map[string]string{"Date": "never", "Retry-After": "Tue, 02 Jan 2024 03:04:08 GMT"}, 0, []time.Duration{time.Second}},
		"no date":            {map[string]string{"Date": "never", "X-Ratelimit-Reset": "1704164649"}, 0, []time.Duration{time.Second}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startPeopleDataLabs(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", date)
				for name, value := range test.header {
					w.Header().Set(name, value)
				}
				respondWith(429, `{"error":{"type":"rate_limit_error"}}`)(w, r)
			})
			_, err := s.Profile(t.Context(), slug)
			compareOutcome(t, err, &profile.Unavailable{Reason: profile.Status, StatusCode: 429,
				ErrorType: "rate_limit_error", Retryable: true, RetryAfter: test.after})
			if diff := cmp.Diff(test.waits, s.waits); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnusableSettingsAlarm(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]profile.PeopleDataLabs{
		"no base URL":         {APIKey: testKey},
		"broken base URL":     {BaseURL: "http://[", APIKey: testKey},
		"line break in key":   {BaseURL: "http://localhost", APIKey: testKey + "\n"},
		"control in key":      {BaseURL: "http://localhost", APIKey: testKey + "\x1b", Wait: func(context.Context, time.Duration) error { return nil }},
		"base without a host": {BaseURL: "/v5", APIKey: testKey},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := p.Profile(t.Context(), slug)
			compareOutcome(t, err, &profile.Unavailable{Reason: profile.Settings, Operator: true})
		})
	}
}

func TestRefusedConnection(t *testing.T) {
	t.Parallel()
	s := startPeopleDataLabs(t, respondWith(200, ""))
	s.BaseURL = "http://127.0.0.1:1"
	_, err := s.Profile(t.Context(), slug)
	compareOutcome(t, err, &profile.Unavailable{Reason: profile.Connection, Retryable: true})
}

func TestEmptySlugAsksNobody(t *testing.T) {
	t.Parallel()
	s := startPeopleDataLabs(t, respondWith(200, peopleDataLabsBody("", oneJob)))
	_, err := s.Profile(t.Context(), "")
	compareOutcome(t, err, profile.ErrNotFound)
	if s.calls.Load() != 0 {
		t.Error("asked about an empty slug")
	}
}
