package profile_test

import (
	"context"
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

// enrichLayerBody returns a response in the format of Enrich Layer.
func enrichLayerBody(slug, experiences string) string {
	return `{"public_identifier":"` + slug + `","full_name":"Maya Lind","occupation":"Engineer at Example Quarry","city":"Leeds","state":null,"country_full_name":"United Kingdom","experiences":` + experiences + `}`
}

const onePosition = `[{"title":"Engineer","company":"Example Quarry","starts_at":{"day":1,"month":3,"year":2021},"ends_at":null,"location":"Leeds","description":"Leads"}]`

// startEnrichLayer returns the second adapter for a server of handler; calls counts the requests.
func startEnrichLayer(t *testing.T, handler http.HandlerFunc) (p profile.EnrichLayer, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return profile.EnrichLayer{BaseURL: server.URL, APIKey: testKey, Timeout: 20 * time.Second,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}, calls
}

// The second provider, row by row: the port's outcomes are the same.
func TestEnrichLayerMapping(t *testing.T) {
	t.Parallel()
	operator := func(status int) error {
		return &profile.Unavailable{Reason: profile.Status, StatusCode: status, Operator: true}
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
		"verified":                  {respondWith(200, enrichLayerBody(slug, onePosition)), nil, 1},
		"verified by title alone":   {respondWith(200, enrichLayerBody("Maya-Lind", `[{"title":"Engineer"}]`)), nil, 1},
		"verified by company alone": {respondWith(200, enrichLayerBody(slug, `[{"company":"Example Quarry","starts_at":"2020","ends_at":7}]`)), nil, 1},
		"other slug":                {respondWith(200, enrichLayerBody("maya-lind-2", onePosition)), profile.ErrNotFound, 1},
		"no slug":                   {respondWith(200, `{"public_identifier":null,"experiences":`+onePosition+`}`), profile.ErrNotFound, 1},
		"empty experience":          {respondWith(200, enrichLayerBody(slug, `[]`)), profile.ErrNoExperience, 1},
		"null experience":           {respondWith(200, enrichLayerBody(slug, `null`)), profile.ErrNoExperience, 1},
		"unusable experience":       {respondWith(200, enrichLayerBody(slug, `[{"starts_at":{"year":2020}},{"title":" ","company":null},7,null,"x"]`)), profile.ErrNoExperience, 1},
		"404":                       {respondWith(404, `{"code":404,"description":"Person profile does not exist"}`), profile.ErrNotFound, 1},
		"410 deleted":               {respondWith(410, ``), profile.ErrNotFound, 1},
		"453":                       {respondWith(453, ``), profile.ErrNotFound, 1},
		"400":                       {respondWith(400, ``), operator(400), 1},
		"401 wrong key":             {respondWith(401, ``), operator(401), 1},
		"402":                       {respondWith(402, ``), operator(402), 1},
		"403 no credit":             {respondWith(403, `{"code":403,"description":"maya-lind"}`), operator(403), 1},
		"422":                       {respondWith(422, ``), operator(422), 1},
		"408":                       {respondWith(408, ``), retry(profile.Status, 408), 2},
		"429":                       {respondWith(429, ``), retry(profile.Status, 429), 2},
		"500":                       {respondWith(500, strings.Repeat("x", 5<<20)), retry(profile.Status, 500), 2},
		"503":                       {respondWith(503, ``), retry(profile.Status, 503), 2},
		"302":                       {respondWith(302, ``), retry(profile.Redirected, 302), 2},
		"bad JSON":                  {respondWith(200, `{"public_identifier":`), malformed, 2},
		"HTML":                      {respondWith(200, `<html>maya-lind</html>`), malformed, 2},
		"null":                      {respondWith(200, `null`), malformed, 2},
		"nothing known":             {respondWith(200, `{}`), malformed, 2},
		"slug is a number":          {respondWith(200, `{"public_identifier":7,"experiences":[]}`), malformed, 2},
		"experiences are a string":  {respondWith(200, enrichLayerBody(slug, `"yes"`)), malformed, 2},
		"too deep":                  {respondWith(200, strings.Repeat(`[`, 100_000)), malformed, 2},
		"5 MB":                      {respondWith(200, enrichLayerBody(slug, `[{"description":"`+strings.Repeat("x", 5<<20)+`"}]`)), retry(profile.TooLarge, 0), 2},
		"5 MB behind gzip":          {writeGzipped, retry(profile.TooLarge, 0), 2},
		"cut off":                   {writeTruncated, retry(profile.Connection, 0), 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, calls := startEnrichLayer(t, test.handler)
			found, err := p.Profile(t.Context(), slug)
			compareOutcome(t, err, test.want)
			if calls.Load() != test.calls {
				t.Errorf("asked %d times, want %d", calls.Load(), test.calls)
			}
			if err != nil && found != (profile.Profile{}) {
				t.Errorf("error %v beside profile %+v", err, found)
			}
		})
	}
}

func TestEnrichLayerReadsAPerson(t *testing.T) {
	t.Parallel()
	var got *http.Request
	p, _ := startEnrichLayer(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		_, _ = io.WriteString(w, enrichLayerBody("jos%c3%a9", `[{"title":"Old","company":"A","starts_at":{"day":null,"month":null,"year":2015},"ends_at":{"day":31,"month":2,"year":2019}},
			{"title":"New","company":"B","starts_at":{"day":0,"month":3,"year":2021},"ends_at":null}]`))
	})
	found, err := p.Profile(t.Context(), "josé")
	if err != nil {
		t.Fatal(err)
	}
	want := profile.Profile{Title: "New", Company: "B", Location: "Leeds, United Kingdom"}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
	if u, auth := got.URL, got.Header.Get("Authorization"); u.Path != "/api/v2/profile" || u.Query().Get("profile_url") != "https://www.linkedin.com/in/jos%C3%A9" || auth != "Bearer "+testKey {
		t.Errorf("request %s with %q", u, auth)
	}
}

func TestEnrichLayerSlowAndSettings(t *testing.T) {
	t.Parallel()
	p, _ := startEnrichLayer(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	p.Timeout = 30 * time.Millisecond
	_, err := p.Profile(t.Context(), slug)
	compareOutcome(t, err, &profile.Unavailable{Reason: profile.TimedOut, Retryable: true})
	for _, bad := range []profile.EnrichLayer{{APIKey: testKey}, {BaseURL: "http://[", APIKey: testKey}, {BaseURL: "http://localhost", APIKey: testKey + "\n"}} {
		_, err := bad.Profile(t.Context(), slug)
		compareOutcome(t, err, &profile.Unavailable{Reason: profile.Settings, Operator: true})
	}
	_, err = p.Profile(t.Context(), "")
	compareOutcome(t, err, profile.ErrNotFound)
}
