package system_test

import (
	"net/http"
	"strings"
	"testing"
)

// A handler that exceeds its time-out is ended, and the caller gets the API's own error.
func TestRequestTimeout(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, map[string]string{"REQUEST_TIMEOUT": "1ns"})
	got := sys.sendRequest("GET", "/agency/roles", sys.newAgencyKey(), nil)
	if got.status != http.StatusInternalServerError || !strings.Contains(got.body, `"type":"api_error"`) {
		t.Errorf("got %d %s; want our own 500", got.status, got.body)
	}
	if got := sys.sendRequest("GET", "/health", "", nil); got.status != http.StatusOK {
		t.Errorf("/health, which waits for nothing: got %d %s", got.status, got.body)
	}
}
