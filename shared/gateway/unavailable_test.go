package gateway

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestUnavailable fails unless the response of the edge has its headers, and its request id is in the log. Other paths are the routes'.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	var log logged
	routes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	h := WithUnavailable(routes, cloud.Host{
		NewID: func() uuid.UUID { return uuid.MustParse(testID) }, Log: slog.New(slog.NewJSONHandler(&log, nil)),
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, topology.UnavailablePath, nil))
	want := http.Header{
		"Content-Type": {"application/json"}, "Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"},
		"X-Request-Id": {testID}, "Retry-After": w.Header().Values("Retry-After"),
	}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Code != http.StatusOK {
		t.Errorf("status %d, headers (-want +got):\n%s", w.Code, diff)
	}
	if wait, err := strconv.Atoi(w.Header().Get("Retry-After")); err != nil || wait < 5 || wait > 10 {
		t.Errorf("Retry-After is %q, want 5 to 10", w.Header().Get("Retry-After"))
	}
	if p := decodeProblem(t, w); p.RequestID != testID || p.Type == "" || p.Message == "" {
		t.Errorf("got %+v, want a whole error", p)
	}
	if !strings.Contains(log.String(), testID) {
		t.Errorf("the request id is not in the log %q", log.String())
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, topology.UnavailablePath+"x", nil))
	if w.Code != http.StatusTeapot || strings.Count(log.String(), "\n") != 1 {
		t.Errorf("another path: status %d, log %q", w.Code, log.String())
	}
}

// TestCallersReturnAtDifferentTimes fails if the callers of a part of the service that does not respond all wait for the same time,
// or less than its time.
func TestCallersReturnAtDifferentTimes(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, failingHandlers(fault.Refusal(10*time.Second, nil)))
	waits := map[int]bool{}
	for range 100 {
		w := sendRequest(g, http.MethodGet, "/talent-network/batches/"+testID, "")
		wait, err := strconv.Atoi(w.Header().Get("Retry-After"))
		if err != nil || w.Code != http.StatusServiceUnavailable || wait < 10 || wait > 20 {
			t.Fatalf("status %d, Retry-After %q; want 503, and 10 to 20", w.Code, w.Header().Get("Retry-After"))
		}
		waits[wait] = true
	}
	if len(waits) < 3 {
		t.Errorf("100 callers got the waits %v", waits)
	}
}

// TestHeadersOfTooLarge fails unless the response without an envelope has these headers and no others.
func TestHeadersOfTooLarge(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	r := httptest.NewRequest(http.MethodPost, contract.BasePath+submitPath, strings.NewReader(strings.Repeat(" ", contract.MaxBodyBytes+1)))
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	want := http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"}}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, headers (-want +got):\n%s", w.Code, diff)
	}
}
