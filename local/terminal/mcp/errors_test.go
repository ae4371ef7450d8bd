package mcp_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// An error is the API's envelope. The client waits as long as Retry-After says, and gives up after
// its attempts.
func TestErrorsAndWaits(t *testing.T) {
	t.Parallel()
	respond := func(status int, body string, header ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}})
	api.next = append(api.next, respond(400, `{"error":{"type":"invalid_request_error","message":"No.","request_id":"r-1","code":"validation_failed","details":{"formErrors":[],"fieldErrors":{"limit":["limit: must be at least 1."]}}}}`, "X-Request-Id", "r-1"))
	text, failed := callTool(t, session, "listCandidates", nil)
	for _, part := range []string{`"status":400`, `"code":"validation_failed"`, `"limit: must be at least 1."`, `"request_id":"r-1"`} {
		if !failed || !strings.Contains(text, part) {
			t.Errorf("got %s; want %s in it", text, part)
		}
	}
	limited := respond(429, `{"error":{"type":"rate_limit_error","message":"Wait.","code":"rate_limited"}}`, "Retry-After", "7")
	api.next = append(api.next, limited, respond(200, `{"candidates":[]}`))
	if text, failed := callTool(t, session, "listCandidates", nil); failed || !slices.Equal(api.waits, []time.Duration{7 * time.Second}) {
		t.Errorf("got %s after waits %v", text, api.waits)
	}
	api.next = append(api.next, limited, limited, limited, limited, limited)
	if text, failed := callTool(t, session, "listCandidates", nil); !failed || !strings.Contains(text, `"retryAfterSeconds":7`) || len(api.next) != 1 {
		t.Errorf("got %s with %d responses left", text, len(api.next))
	}
}
