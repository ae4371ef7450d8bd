package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// startStandIn serves a stand-in and returns the real adapter for it.
func startStandIn(t *testing.T) (*provider.StandIn, *profile.PeopleDataLabs) {
	t.Helper()
	standIn := &provider.StandIn{}
	server := httptest.NewServer(standIn)
	t.Cleanup(server.Close)
	return standIn, &profile.PeopleDataLabs{
		BaseURL: server.URL, APIKey: "k", Timeout: 20 * time.Second, // a hang guard
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// unavailableReason returns the Unavailable reason and status of an outcome, or the outcome.
func unavailableReason(err error) any {
	var down *profile.Unavailable
	if errors.As(err, &down) {
		return [2]any{down.Reason, down.StatusCode}
	}
	return err
}

func TestEveryoneIsInvented(t *testing.T) {
	t.Parallel()
	_, adapter := startStandIn(t)
	for _, slug := range []string{"maya-lind", "josé-díaz-1", "a b+c&d=e", "李雷", "100%"} {
		got, err := adapter.Profile(t.Context(), slug)
		if diff := cmp.Diff(profile.Invent(slug), got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", slug, err, diff)
		}
	}
}

func TestSandboxSlugsOnTheWire(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		want  any
		calls int64
	}{
		profile.SlugNotFound:     {profile.ErrNotFound, 1},
		profile.SlugNoExperience: {profile.ErrNoExperience, 1},
		profile.SlugUnavailable:  {[2]any{profile.Status, 503}, 2},
		profile.SlugCrash:        {[2]any{profile.Connection, 0}, 2},
	}
	for slug, test := range tests {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			standIn, adapter := startStandIn(t)
			_, err := adapter.Profile(t.Context(), slug)
			if unavailableReason(err) != test.want || standIn.Calls() != test.calls {
				t.Errorf("got %v after %d calls, want %v after %d", err, standIn.Calls(), test.want, test.calls)
			}
		})
	}
}

func TestSlowSlugWaitsThenVerifies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		request := func(slug string) (answer string, took time.Duration) {
			recorder := httptest.NewRecorder()
			request := httptest.NewRequest(http.MethodGet, "/v5/person/enrich?profile=linkedin.com/in/"+slug, http.NoBody)
			request.Header.Set("X-Api-Key", "k")
			begun := time.Now()
			(&provider.StandIn{}).ServeHTTP(recorder, request)
			return fmt.Sprint(recorder.Code, recorder.Body), time.Since(begun)
		}
		const ordinary = "maya-lind"
		want, _ := request(ordinary)
		other := profile.Invent(ordinary)
		slow := profile.Invent(profile.SlugSlow)
		want = strings.NewReplacer(
			ordinary, profile.SlugSlow, other.Title, slow.Title, other.Company, slow.Company, other.Location, slow.Location,
		).Replace(want)
		got, took := request(profile.SlugSlow)
		if diff := cmp.Diff(want, got); diff != "" || took != 8*time.Second {
			t.Errorf("after %v (-want +got):\n%s", took, diff)
		}
	})
}

func TestSlowSlugEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	_, adapter := startStandIn(t)
	adapter.Timeout = 30 * time.Millisecond
	_, err := adapter.Profile(t.Context(), profile.SlugSlow)
	if want := [2]any{profile.TimedOut, 0}; unavailableReason(err) != want {
		t.Errorf("got %v", err)
	}
}

// withBody sends a 200 with any body, such as broken JSON or wrong types.
func withBody(body string) provider.Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = io.WriteString(w, body) }
}

// oversized sends the right person in more than size bytes of valid JSON.
func oversized(size int) provider.Fault {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		right := httptest.NewRecorder()
		new(provider.StandIn).ServeHTTP(right, r)
		_, _ = io.WriteString(w, `{"padding":"`+strings.Repeat("x", size)+`",`+strings.TrimPrefix(right.Body.String(), "{"))
	}
}

// otherSlug sends a person with another profile than the requested one.
func otherSlug(w http.ResponseWriter, r *http.Request, slug string) {
	r.URL.RawQuery = "profile=linkedin.com/in/" + slug + "-2"
	new(provider.StandIn).ServeHTTP(w, r)
}

// redirectTo redirects the caller to another address.
func redirectTo(address string) provider.Fault {
	return func(w http.ResponseWriter, r *http.Request, _ string) { http.Redirect(w, r, address, http.StatusFound) }
}

// silent never responds: it holds the request until the caller gives up.
func silent(_ http.ResponseWriter, r *http.Request, _ string) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// stalled sends the start of a response and holds the rest until the caller gives up.
func stalled(w http.ResponseWriter, r *http.Request, slug string) {
	_, _ = io.WriteString(w, `{"status": 200, "data": {`)
	_ = http.NewResponseController(w).Flush()
	silent(w, r, slug)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	trap, _ := startStandIn(t)
	elsewhere := httptest.NewServer(trap)
	t.Cleanup(elsewhere.Close)
	short := 30 * time.Millisecond
	tests := map[string]struct {
		fault   provider.Fault
		timeout time.Duration
		want    any
	}{
		"out of credit": {provider.WithStatus(402), 0, [2]any{profile.Status, 402}},
		"throttled":     {provider.WithHeader("Retry-After", "60", provider.WithStatus(429)), 0, [2]any{profile.Status, 429}},
		"bad JSON":      {withBody(`{"status":`), 0, [2]any{profile.Malformed, 0}},
		"wrong types":   {withBody(`{"status":200,"data":[]}`), 0, [2]any{profile.Malformed, 0}},
		"5 MB":          {oversized(5 << 20), 0, [2]any{profile.TooLarge, 0}},
		"below the cap": {oversized(900 << 10), 0, nil},
		"other slug":    {otherSlug, 0, profile.ErrNotFound},
		"redirect":      {redirectTo(elsewhere.URL + "/v5/person/enrich?profile=linkedin.com/in/x"), 0, [2]any{profile.Redirected, 302}},
		"silent":        {silent, short, [2]any{profile.TimedOut, 0}},
		"stalled":       {stalled, short, [2]any{profile.TimedOut, 0}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			standIn, adapter := startStandIn(t)
			standIn.Misbehave(test.fault)
			if test.timeout != 0 {
				adapter.Timeout = test.timeout
			}
			_, err := adapter.Profile(t.Context(), "maya-lind")
			if unavailableReason(err) != test.want {
				t.Errorf("got %v, want %v", err, test.want)
			}
			standIn.Misbehave(nil)
			adapter.Timeout = 20 * time.Second
			if _, err := adapter.Profile(t.Context(), "maya-lind"); err != nil {
				t.Errorf("after the fault: %v", err)
			}
		})
	}
	t.Cleanup(func() {
		if trap.Calls() != 0 {
			t.Error("the redirect was followed")
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		method, target, key string
		want                int
	}{
		"no key":            {"GET", "/v5/person/enrich?profile=linkedin.com/in/x", "", 401},
		"no profile":        {"GET", "/v5/person/enrich", "k", 400},
		"no LinkedIn URL":   {"GET", "/v5/person/enrich?profile=example.com/x", "k", 400},
		"broken escape":     {"GET", "/v5/person/enrich?profile=linkedin.com/in/%25zz", "k", 400},
		"other endpoint":    {"GET", "/v5/company/enrich?profile=linkedin.com/in/x", "k", 404},
		"other method":      {"POST", "/v5/person/enrich?profile=linkedin.com/in/x", "k", 404},
		"a scheme is fine":  {"GET", "/v5/person/enrich?profile=https://www.linkedin.com/in/x/", "k", 200},
		"found person's OK": {"GET", "/v5/person/enrich?profile=linkedin.com/in/x", "k", 200},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			recorder := httptest.NewRecorder()
			request := httptest.NewRequest(test.method, test.target, http.NoBody)
			if test.key != "" {
				request.Header.Set("X-Api-Key", test.key)
			}
			(&provider.StandIn{}).ServeHTTP(recorder, request)
			if recorder.Code != test.want {
				t.Errorf("got %d, want %d: %s", recorder.Code, test.want, recorder.Body)
			}
		})
	}
}
