package lambda

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// startEcho starts this test binary as a function.
func startEcho(t *testing.T, timeout time.Duration) *Runtime {
	t.Helper()
	r, err := StartRuntime(RuntimeOptions{
		Binary: os.Args[0], Env: []string{"SETTING=on"}, Log: t.Output(), Timeout: timeout, NewID: func() string { return "id-1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return r
}

func TestRuntimeRunsAProcess(t *testing.T) {
	t.Parallel()
	r := startEcho(t, 0)
	for _, text := range []string{"one", "two"} { // the same process
		body, err := r.Invoke(t.Context(), []byte(`{"Text":"`+text+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]string
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"text": text, "id": "id-1", "setting": "on", "home": "", "late": "no"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	_, err := r.Invoke(t.Context(), []byte(`{"Do":"fail"}`))
	if err == nil || !strings.HasPrefix(err.Error(), "the function failed: ") || !strings.Contains(err.Error(), "failed as told") {
		t.Errorf("got %v; want the function's own error", err)
	}
	for range 2 { // every later call fails as well
		if _, err := r.Invoke(t.Context(), []byte(`{"Do":"exit"}`)); !errors.Is(err, ErrExited) {
			t.Errorf("got %v; want ErrExited", err)
		}
	}
}

// A process answers with a response or an error; the API has nothing else of an invocation.
func TestRuntimeRefusesOtherAnswers(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]int{"response": http.StatusAccepted, "error": http.StatusAccepted, "other": http.StatusNotFound} {
		i := &invocation{id: "id-1", answer: make(chan answer, 1)}
		r := &Runtime{}
		r.inFlight.Store(i)
		w := httptest.NewRecorder()
		r.runtimeAPI().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/2018-06-01/runtime/invocation/id-1/"+kind, strings.NewReader("{}")))
		if isAnswered := len(i.answer) == 1; w.Code != want || isAnswered != (want == http.StatusAccepted) {
			t.Errorf("%s: status %d, answered: %t; want %d", kind, w.Code, isAnswered, want)
		}
	}
}

func TestRuntimeEndsWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	r := startEcho(t, time.Millisecond) // which the start of the process is no part of
	if _, err := r.Invoke(t.Context(), []byte(`{"Do":"hang"}`)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v; want the time-out", err)
	}
	if _, err := r.Invoke(t.Context(), []byte(`{}`)); !errors.Is(err, ErrExited) {
		t.Errorf("got %v; want ErrExited: the instance is gone", err)
	}
}
