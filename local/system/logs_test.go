package system_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// written is a log that is safe for concurrent use.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (w *written) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(line)
}

// No log line holds a key, a name, an address or a resume's text, however a
// request or a submission ends.
func TestLogsHoldNoPerson(t *testing.T) {
	t.Parallel()
	log := &written{}
	sys := startSystemWith(t, nil, system.Options{Log: slog.New(slog.NewTextHandler(log, nil))})
	key := sys.newAgencyKey()
	live := sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "live"}).Secret
	api, paying := client.New(sys.BaseURL, key, withShortWaits), client.New(sys.BaseURL, live, withShortWaits)
	submitAndWait(t, api, newSubmitRequest(t, priya, ""))
	submitAndWait(t, api, newSubmitRequest(t, mismatch, ""))
	submitAndWait(t, api, newSubmitRequest(t, locked, ""))
	submitAndWait(t, api, newSubmitRequest(t, priya, profile.SlugCrash))
	submitAndWait(t, paying, newSubmitRequest(t, jonas, profile.SlugCrash)) // the provider hangs up
	in := newSubmitRequest(t, priya, "")
	in.RecruiterEmail = new("outsider@example.com")
	if r := sys.sendRequest("POST", submitPath, key, encodeBody(t, in)); r.status != 400 {
		t.Fatalf("got %d %s; want 400", r.status, r.body)
	}
	sys.sendRequest("GET", "/identity?email="+priya.email, key[:len(key)-1]+"~", nil)
	sys.sendRequest("GET", "/talent-network/candidates/"+priya.email+"/preferences", key, nil)
	sys.Stop()
	text := strings.ToLower(log.text.String())
	for _, private := range []string{
		key, live, "raman", "lindqvist", "okafor", "example.com", "example.org", "sandbox-crash", "linkedin.com", "outsider",
	} {
		if strings.Contains(text, strings.ToLower(private)) {
			t.Errorf("the log holds %q:\n%s", private, lineWith(text, strings.ToLower(private)))
		}
	}
	if !strings.Contains(text, "msg=ingest") || !strings.Contains(text, "msg=request") {
		t.Errorf("the log lacks its lines:\n%s", text)
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return ""
}
