package system_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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

// applyAll applies marketplace events, one a line.
func (sys *testSystem) applyAll(events string) {
	sys.t.Helper()
	service, err := feed.New(sys.t.Context(), system.Permitted(sys.Host, topology.Feed.Name))
	must(sys.t, err)
	for event := range strings.Lines(events) {
		if refused, err := service.Apply(sys.t.Context(), event); refused != "" || err != nil {
			sys.t.Fatal(refused, err)
		}
	}
}

// openCanary loads the canary's agency and recruiter as an operator does, and returns the canary with a key
// of each. Its log goes to the buffer; the option says how its client waits.
func (sys *testSystem) openCanary(log *bytes.Buffer, wait client.Option) *canary.Service {
	sys.t.Helper()
	events, err := os.ReadFile("../../../functions/canary/callers.ndjson")
	must(sys.t, err)
	sys.applyAll(string(events))
	settings := map[string]string{
		topology.SettingCanaryURL:          sys.BaseURL,
		topology.SettingCanaryAgencyKey:    sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: "agy_canary", Actor: "rec_canary", Environment: "test"}).Secret,
		topology.SettingCanaryRecruiterKey: sys.createKey(keys.Request{Type: contract.PersonalKey, Principal: "rec_canary", Actor: "rec_canary", Environment: "test"}).Secret,
	}
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

// What fails for recruiters alone fails the run, at a step of theirs.
func TestCanaryFindsWhatFailsForRecruiters(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	sys := startSystem(t, nil)
	c := sys.openCanary(&log, withShortWaits)
	for i, fault := range []struct{ event, step, cause string }{
		{`"call.deleted","entityId":"call_canary"`, "calls", "the recruiter has no recorded call"},
		{`"crmCandidate.deleted","entityId":"rec_canary/crm_canary"`, "crm", "the recruiter's CRM is empty"},
		{`"recruiter.upserted","entityId":"rec_canary","data":{"name":"Canary Owner","email":"canary.owner@example.com","canRecruit":true,"personalKeys":false}`,
			"browse", "401"},
	} {
		sys.applyAll(fmt.Sprintf(`{"id":"019ac000-0000-7000-8000-00000000010%d","version":2,"occurredAt":"2026-11-22T12:00:00Z","type":%s}`, i, fault.event))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a guard against hanging
		defer cancel()
		if r, err := c.Handle(ctx); r.Step != fault.step || !strings.Contains(r.Cause, fault.cause) || err != nil {
			t.Errorf("after %s: got %+v, %v; want step %s: %s", fault.event, r, err, fault.step, fault.cause)
		}
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
	over := make(chan struct{})
	polls := 0
	c := startSystemWith(t, nil, system.Options{WithoutIngest: true}).openCanary(&log, client.WithWait(func(ctx context.Context, _ time.Duration) error {
		polls++
		if polls == 3 { // in place of minutes, the time of the run ends here
			close(over)
			<-ctx.Done()
		}
		return ctx.Err()
	}))
	for _, want := range []struct{ step, cause string }{
		{"batch", "has not ended by the end of the run: the ingest worker or its queue is stalled"},
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
