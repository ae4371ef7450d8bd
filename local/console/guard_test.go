package console

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

const (
	testAddress = "127.0.0.1:8080"
	testOrigin  = "http://" + testAddress
	testToken   = "token-of-this-process"
)

// newTestConsole returns a console without a system: of its changes, the reading of a resume works.
func newTestConsole() *Console {
	r := NewRecorder()
	c := &Console{config: Config{Recorder: r, Host: cloud.Host{Now: time.Now}}, address: testAddress, token: testToken, api: http.NotFoundHandler()}
	c.pages = c.newPages()
	return c
}

// send sends a request as a page of the console does, with changes to its headers. The value "-"
// leaves a header out.
func send(c http.Handler, method, path string, headers map[string]string) *httptest.ResponseRecorder {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a guard against hanging: events have no end
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(`{"content": "UGVyc29uIEluIEEgUmVzdW1lCg=="}`))
	r.Host = testAddress
	if method != http.MethodGet {
		r.Header.Set("Origin", testOrigin)
		r.Header.Set(tokenHeader, testToken)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for name, value := range headers {
		switch {
		case name == "Host":
			r.Host = value
		case value == "-":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

// A change is accepted from the console's own page alone.
func TestChangesComeFromTheOwnPage(t *testing.T) {
	t.Parallel()
	const path = "/console/resume"
	if w := send(newTestConsole(), http.MethodPost, path, nil); w.Code != http.StatusOK {
		t.Fatalf("the page's own request: %d %s", w.Code, w.Body)
	}
	for name, tt := range map[string]struct {
		headers map[string]string
		status  int
	}{
		"a name that leads here":             {map[string]string{"Host": "evil.example:8080", "Origin": "http://evil.example:8080"}, http.StatusMisdirectedRequest},
		"another port":                       {map[string]string{"Host": "127.0.0.1:8081", "Origin": "http://127.0.0.1:8081"}, http.StatusMisdirectedRequest},
		"no Host":                            {map[string]string{"Host": ""}, http.StatusMisdirectedRequest},
		"localhost":                          {map[string]string{"Host": "localhost:8080", "Origin": "http://localhost:8080"}, http.StatusMisdirectedRequest},
		"another origin":                     {map[string]string{"Sec-Fetch-Site": "-", "Origin": "http://evil.example"}, http.StatusForbidden},
		"another port's page":                {map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:3000"}, http.StatusForbidden},
		"no origin":                          {map[string]string{"Sec-Fetch-Site": "-", "Origin": "null"}, http.StatusForbidden},
		"another site":                       {map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		"another site's form":                {map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Origin": "-"}, http.StatusForbidden},
		"no token":                           {map[string]string{tokenHeader: "-"}, http.StatusForbidden},
		"the token of another process":       {map[string]string{tokenHeader: "token-of-that-process"}, http.StatusForbidden},
		"no token, and a program's own form": {map[string]string{tokenHeader: "-", "Sec-Fetch-Site": "-", "Origin": "-"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := send(newTestConsole(), http.MethodPost, path, tt.headers)
			if w.Code != tt.status || strings.Contains(w.Body.String(), testToken) {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, tt.status)
			}
		})
	}
}

// The keys of the run are answered to the own page with its token alone.
func TestRunKeysAreReadByTheOwnPage(t *testing.T) {
	t.Parallel()
	c := newTestConsole()
	c.config.EnvFile = filepath.Join(t.TempDir(), "env")
	if w := send(c, http.MethodPost, "/console/keys/run", nil); w.Code != http.StatusOK || strings.TrimSpace(w.Body.String()) != "[]" {
		t.Errorf("before the run has keys: %d %s", w.Code, w.Body)
	}
	if err := os.WriteFile(c.config.EnvFile, []byte("export AGENCY_KEY=rmk_test_a1\nexport RECRUITER_KEY=rmk_live_b2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := `[{"agencyId":"agy_northlight","environment":"test","secret":"rmk_test_a1","type":"agency"},{"agencyId":"agy_northlight","environment":"live","secret":"rmk_live_b2","type":"personal"}]`
	if w := send(c, http.MethodPost, "/console/keys/run", nil); w.Code != http.StatusOK || w.Body.String() != want {
		t.Errorf("got %d %s, want %s", w.Code, w.Body, want)
	}
	for _, headers := range []map[string]string{{tokenHeader: "-"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example:8080", "Origin": "http://evil.example:8080"}} {
		if w := send(c, http.MethodPost, "/console/keys/run", headers); w.Code < 400 || strings.Contains(w.Body.String(), "rmk_") {
			t.Errorf("%v: %d %s", headers, w.Code, w.Body)
		}
	}
}

// No path of a change does anything for another method, even with the token.
func TestGetChangesNothing(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/console/keys/create?name=x&type=agency&environment=test", "/console/keys/revoke", "/console/keys/run", "/console/resume",
		"/console/letters/list", "/console/letters/redrive", "/console/letters/remove", "/console/letters/example", "/console/reset?environment=test",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete} {
			if w := send(newTestConsole(), method, path, map[string]string{tokenHeader: testToken}); w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, w.Code)
			}
		}
	}
}

// Pages can be opened from a link of any site; the token is read, and data and events are, from the
// own page alone.
func TestReadsComeFromTheOwnPage(t *testing.T) {
	t.Parallel()
	foreign := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
	opened := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
	for _, tt := range []struct {
		path    string
		headers map[string]string
		status  int
	}{
		{"/", nil, http.StatusOK},
		{"/", opened, http.StatusOK},
		{"/", foreign, http.StatusForbidden},
		{"/", map[string]string{"Host": "evil.example:8080"}, http.StatusMisdirectedRequest},
		{"/docs", opened, http.StatusFound},
		{"/console/events", foreign, http.StatusForbidden},
		{"/console/events", map[string]string{"Host": "evil.example:8080"}, http.StatusMisdirectedRequest},
		{"/console/data/start", nil, http.StatusOK},
		{"/console/data/start", foreign, http.StatusForbidden},
		{"/console/data/start", opened, http.StatusForbidden},
		{"/console/assets/app.js", nil, http.StatusOK},
		{"/console/assets/app.js", foreign, http.StatusForbidden},
		{"/console/assets/..%2findex.html", nil, http.StatusBadRequest},
		{"/console/explorer", nil, http.StatusFound},
		{"/console/nothing", nil, http.StatusNotFound},
	} {
		w := send(newTestConsole(), http.MethodGet, tt.path, tt.headers)
		if w.Code != tt.status {
			t.Errorf("%s %v: %d, want %d", tt.path, tt.headers, w.Code, tt.status)
		}
		h := w.Header()
		if h.Get("X-Frame-Options") != "DENY" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: headers %v", tt.path, h)
		}
	}
}

// localhost leads to the one origin, so that the page and the API's document agree.
func TestLocalhostIsRedirected(t *testing.T) {
	t.Parallel()
	w := send(newTestConsole(), http.MethodGet, "/", map[string]string{"Host": "localhost:8080"})
	if w.Code != http.StatusFound || w.Header().Get("Location") != testOrigin+"/" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
}

// The rest of the listener is the API's, whatever the Host is.
func TestOtherPathsAreTheAPIs(t *testing.T) {
	t.Parallel()
	c := newTestConsole()
	c.api = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, path := range []string{"/api/external/v1/identity", "/docs/", "/consoles", "/favicon.ico", "/x"} {
		if w := send(c, http.MethodPost, path, map[string]string{"Host": "api.example", tokenHeader: "-"}); w.Code != http.StatusTeapot {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestOnlyLoopback(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{"127.0.0.1": true, "127.9.9.9": true, "::1": true, "0.0.0.0": false, "::": false, "192.0.2.1": false} {
		if err := checkLoopback(&net.TCPAddr{IP: net.ParseIP(address), Port: 1}); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := New(t.Context(), Config{Addr: &net.TCPAddr{IP: net.IPv4zero, Port: 1}}); err == nil {
		t.Error("a console for the network was made")
	}
}
