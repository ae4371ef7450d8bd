package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The status of a run has its address and those of its emulators; seen from another data directory, it has the port.
func TestStatusShowsARun(t *testing.T) {
	p := startProcess(t, loadedDir(t))
	env := p.waitUntilReady()
	begun, err := os.Stat(filepath.Join(p.dir, "env"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := printStatus(t.Context(), &out, p.dir, begun.ModTime().Add(90*time.Minute)); err != nil {
		t.Fatal(err)
	}
	head := "running   for 1h30m0s\nbase URL  " + env["BASE_URL"] + "\ndata      " + p.dir + "\n"
	emulators, found := strings.CutPrefix(out.String(), head)
	if !found || !regexp.MustCompile(`^DYNAMODB  http://127.0.0.1:\d+\nSQS       http://\S+:\d+\nS3        http://127.0.0.1:\d+\n$`).MatchString(emulators) {
		t.Errorf("got\n%swant\n%s…", &out, head)
	}

	address, err := url.Parse(env["BASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PORT", address.Port())
	if got := statusError(t, t.TempDir()); !strings.HasSuffix(got, "; one with another DATA_DIR runs at "+env["BASE_URL"]) {
		t.Errorf("got %q", got)
	}
}

func TestStatusWithoutARunIsAnError(t *testing.T) {
	t.Setenv("PORT", "1")
	never := t.TempDir()
	if got, want := statusError(t, never), "no system runs with its data in "+never+"; start one: make run"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	killed := t.TempDir()
	if err := os.WriteFile(filepath.Join(killed, "env"), []byte("export BASE_URL=http://127.0.0.1:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := statusError(t, killed), "the run with its data in "+killed+" was killed, or does not respond: "; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Only a refusal of the key means that there is another run, and only no answer at all that the run may have been killed.
func TestStatusOfAnswers(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusOK:                 "",
		http.StatusTooManyRequests:    "",
		http.StatusUnauthorized:       "refuses the key of the run with its data in ",
		http.StatusServiceUnavailable: "was killed, or does not respond: identity: 503",
	} {
		dir := t.TempDir()
		writeEnv(t, dir, respondTo(t, status))
		var out strings.Builder
		err := printStatus(t.Context(), &out, dir, time.Now())
		if want == "" && (err != nil || !strings.HasPrefix(out.String(), "running ")) {
			t.Errorf("%d: got %v and %q, want a running system", status, err, &out)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: got %v, want %q", status, err, want)
		}
	}
}

// respondTo serves an API that gives every request an answer with a status, and returns its address.
func respondTo(t *testing.T, status int) string {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "{}")
	}))
	t.Cleanup(api.Close)
	return api.URL + "/fake" // of which package conform expects nothing
}

// writeEnv writes the file env of a run at an address.
func writeEnv(t *testing.T, dir, baseURL string) {
	t.Helper()
	text := "export BASE_URL=" + baseURL + "\nexport AGENCY_KEY=rmk_test_x\n"
	if err := os.WriteFile(filepath.Join(dir, "env"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// statusError returns the text of the error that there is no run, for which nothing is printed.
func statusError(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := printStatus(t.Context(), &out, dir, time.Now())
	if err == nil || out.Len() > 0 {
		t.Fatalf("got %v and %q, want an error", err, &out)
	}
	return err.Error()
}
