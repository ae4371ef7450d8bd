package system_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/canary"
	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// openCanary loads the canary's agency as an operator does, and returns the canary with a key
// of that agency. Its log goes to the buffer; the option says how its client waits.
func (sys *testSystem) openCanary(log *bytes.Buffer, wait client.Option) *canary.Service {
	sys.t.Helper()
	service, err := feed.New(sys.t.Context(), system.Permitted(sys.Host, topology.Feed.Name))
	must(sys.t, err)
	events, err := os.ReadFile("../../../functions/canary/agency.ndjson")
	must(sys.t, err)
	for event := range strings.Lines(string(events)) {
		if refused, err := service.Apply(sys.t.Context(), event); refused != "" || err != nil {
			sys.t.Fatal(refused, err)
		}
	}
	key := sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: "agy_canary", Actor: "rec_canary", Environment: "test"}).Secret
	settings := map[string]string{topology.SettingCanaryURL: sys.BaseURL, topology.SettingCanaryKey: key}
	host := cloud.NewHost(func(name string) string { return settings[name] }, sys.now, cloud.NewLog(log, "canary"))
	opened, err := canary.New(sys.t.Context(), host, wait)
	must(sys.t, err)
	return opened
}

// The canary passes, again and again: a run that follows another finds its candidate off the
// market and restores it.
func TestCanaryPasses(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := startSystem(t, nil).openCanary(&log, withShortWaits)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a guard against hanging
		defer cancel()
		if r, err := c.Handle(ctx); !r.Passed || err != nil {
			t.Errorf("got %+v, %v; want a run that passed", r, err)
		}
	}
	if got := log.String(); strings.Count(got, `"canary_failed":0`) != 2 || strings.Count(got, `"Name":"canary_ms","Unit":"Milliseconds"`) != 2 {
		t.Errorf("the log is %s", got)
	}
}

// While the ingest worker is stopped the canary fails before its next run is due, and says at
// which step and why; so does the next run, which finds the submission of the first.
func TestCanaryFindsAStoppedWorker(t *testing.T) {
	t.Parallel()
	if topology.Canary.Timeout >= topology.Canary.Every {
		t.Errorf("a run may take %v, and the next begins after %v", topology.Canary.Timeout, topology.Canary.Every)
	}
	var log bytes.Buffer
	over, polls := make(chan struct{}), 0
	c := startSystemWith(t, nil, system.Options{WithoutIngest: true}).openCanary(&log, client.WithWait(func(ctx context.Context, _ time.Duration) error {
		if polls++; polls == 3 { // in place of minutes, the time of the run ends here
			close(over)
			<-ctx.Done()
		}
		return ctx.Err()
	}))
	for _, want := range []struct{ step, cause string }{
		{"batch", "has not ended by the end of the run: the ingest worker or its queue stands still"},
		{"submit", "the submission of an earlier run is still queued or processing"},
	} {
		r, err := c.Handle(endingContext{t.Context(), over})
		if r.Passed || r.Step != want.step || !strings.Contains(r.Cause, want.cause) || err != nil {
			t.Errorf("got %+v, %v; want step %s: %s", r, err, want.step, want.cause)
		}
		over = make(chan struct{})
		var line struct {
			Step, Cause string
			Failed      int `json:"canary_failed"`
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil || line.Step != r.Step || line.Cause != r.Cause || line.Failed != 1 {
			t.Errorf("the log line is %+v, %v", line, err)
		}
		log.Reset()
	}
}
