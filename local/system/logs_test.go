package system_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/provider"
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
	standIn := &provider.StandIn{}
	sys := startSystemWith(t, nil, system.Options{Log: slog.New(slog.NewTextHandler(log, nil)), Provider: standIn})
	key := sys.newAgencyKey()
	live := sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "live"}).Secret
	api, paying := client.New(sys.BaseURL, key, withShortWaits), client.New(sys.BaseURL, live, withShortWaits)
	submitAndWait(t, api, newSubmitRequest(t, priya, ""))
	submitAndWait(t, api, newSubmitRequest(t, mismatch, ""))
	submitAndWait(t, api, newSubmitRequest(t, locked, ""))
	submitAndWait(t, api, newSubmitRequest(t, priya, profile.SlugCrash))
	before := standIn.Calls()
	accepted, err := paying.Submit(t.Context(), newSubmitRequest(t, jonas, profile.SlugCrash)) // the provider hangs up
	must(t, err)
	sys.waitUntil("the provider was asked again", func() bool { return standIn.Calls() >= before+3 })
	sys.advanceClock(4*time.Hour - 4*time.Minute)
	checkItem(t, waitForItem(t, t.Context(), paying, accepted.BatchID), contract.Failed, contract.VerificationUnavailable)
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
