package system_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// testSystem is the running system of one test, with a clock that can be moved.
type testSystem struct {
	*system.System
	t      *testing.T
	ahead  atomic.Int64
	frozen atomic.Pointer[time.Time]
}

// shortIntervals are settings with short waits of the workers, a long request time-out, and role
// lists that show every change at once.
var shortIntervals = map[string]string{
	"INGEST_RESEND": "300ms", "INGEST_RETRY_DELAY": "50ms", "INGEST_LEASE_GRACE": "100ms", "SWEEP_EVERY": "300ms",
	"REQUEST_TIMEOUT": cloudtest.Patience, topology.SettingCatalogueAge: "0",
}

// startSystem runs a system of the test's own; env changes settings, hooks wrap
// the functions' AWS calls.
func startSystem(t *testing.T, env map[string]string, hooks ...cloud.Hook) *testSystem {
	t.Helper()
	return startSystemWith(t, env, system.Options{}, hooks...)
}

// startSystemWith is startSystem with further options.
func startSystemWith(t *testing.T, env map[string]string, o system.Options, hooks ...cloud.Hook) *testSystem {
	t.Helper()
	o.AdaptHost = func(h cloud.Host) cloud.Host {
		for _, hook := range hooks {
			h.AWS = cloud.WithHook(h.AWS, hook)
		}
		return h
	}
	settings := maps.Clone(shortIntervals)
	settings[topology.SettingSearchURL] = os.Getenv(topology.SettingSearchURL) // .ci/opensearch runs all tests on it
	maps.Copy(settings, env)
	sys := &testSystem{t: t}
	o.Emulators = emulator.ForTest(t, emulator.DynamoDB, emulator.SQS, emulator.S3)
	o.Prefix = strings.ToLower(uuid.NewString()) + "-"
	o.Getenv = func(name string) string { return settings[name] }
	o.Now = sys.now
	if settings[topology.SettingSearchURL] != "" {
		o.AdaptFunctions = func(f *system.Functions) { f.Publish = fillBeforeRoles(*f) }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(cloudtest.Output(t), nil))
	}
	s, err := system.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(); removeIndex(t, s.Environment[topology.SettingSearchURL]) })
	conform.Watch(t, s.BaseURL)
	sys.System = s
	return sys
}

// openFunctions opens the functions without pollers, with a search domain that is filled before it is used.
func openFunctions(t *testing.T, host cloud.Host) system.Functions {
	t.Helper()
	f, err := system.OpenFunctions(t.Context(), host)
	must(t, err)
	if host.Getenv(topology.SettingSearchURL) != "" {
		fillBeforeRoles(f)
	}
	return f
}

// fillBeforeRoles makes the publisher fill the search domain before the first request for roles, so that every response comes from
// the domain; otherwise the embedded index is used until the publisher has filled the domain. It returns the function of the
// publisher's schedule, which waits until then, so that a system that lists no roles creates no index. If the fill fails, the
// embedded index serves, and the next request tries again.
func fillBeforeRoles(f system.Functions) (publishAgain func(context.Context) error) {
	list := f.HTTP[string(contract.Roles)]
	var mu sync.Mutex
	filled := false
	fill := func(ctx context.Context) {
		mu.Lock()
		defer mu.Unlock()
		filled = filled || f.Publish(context.WithoutCancel(ctx)) == nil
	}
	f.HTTP[string(contract.Roles)] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		fill(ctx)
		return list(ctx, e)
	}
	return func(ctx context.Context) error {
		mu.Lock()
		isWaiting := !filled
		mu.Unlock()
		if isWaiting {
			return nil
		}
		return f.Publish(ctx)
	}
}

// removeIndex removes a system's indexes from the search domain, so that the tests do not fill it.
func removeIndex(t *testing.T, url string) {
	if url == "" {
		return
	}
	req, err := http.NewRequest(http.MethodDelete, url+"-v1-*", nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		_ = resp.Body.Close()
	}
}

func (sys *testSystem) now() time.Time {
	at := sys.frozen.Load()
	if at == nil {
		at = new(time.Now())
	}
	return at.Add(time.Duration(sys.ahead.Load()))
}

// advanceClock moves the clock forward.
func (sys *testSystem) advanceClock(d time.Duration) { sys.ahead.Add(int64(d)) }

// freezeClock stops the clock, which then only advanceClock moves.
func (sys *testSystem) freezeClock(at time.Time) { sys.frozen.Store(&at) }

// newKey creates a key of environment test.
func (sys *testSystem) newKey(kind contract.KeyType, principal, actor string) string {
	sys.t.Helper()
	return sys.createKey(keys.Request{Type: kind, Principal: principal, Actor: actor, Environment: "test"}).Secret
}

// newLiveKey creates a key of the demo agency in environment live.
func (sys *testSystem) newLiveKey() string {
	sys.t.Helper()
	return sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "live"}).Secret
}

func (sys *testSystem) createKey(r keys.Request) keys.Response {
	sys.t.Helper()
	r.Action = keys.Create
	r.Name = "test"
	if r.Scopes == nil {
		r.Scopes = r.Type.Scopes()
	}
	return sys.administerKeys(r)
}

// revokeKeys revokes the active keys of the principal of r.
func (sys *testSystem) revokeKeys(r keys.Request) {
	sys.t.Helper()
	r.Action = keys.List
	listed := sys.administerKeys(r).Keys
	r.Action = keys.Revoke
	for _, key := range listed {
		if key.Status == keys.Active {
			r.KeyID = key.ID
			sys.administerKeys(r)
		}
	}
}

// administerKeys calls the administration of keys, which must succeed.
func (sys *testSystem) administerKeys(r keys.Request) keys.Response {
	sys.t.Helper()
	service, err := keys.New(sys.t.Context(), system.Permitted(sys.Host, "keys"))
	if err != nil {
		sys.t.Fatal(err)
	}
	out, err := service.Handle(sys.t.Context(), r)
	if err != nil {
		sys.t.Fatal(err)
	}
	return out
}

// newAgencyKey creates a key of the demo agency.
func (sys *testSystem) newAgencyKey() string {
	sys.t.Helper()
	return sys.newKey(contract.AgencyKey, demo.AgencyID, demo.OwnerID)
}

// newAgencyClient is a client of the demo agency, with a key of its own.
func (sys *testSystem) newAgencyClient() *client.Client {
	sys.t.Helper()
	return client.New(sys.BaseURL, sys.newAgencyKey(), withShortWaits)
}

// withShortWaits makes a client wait a tenth of the advised time. Polling may thus use up
// a rate window; the attempts suffice to wait for its end, each for a tenth of the rest.
func withShortWaits(c *client.Client) {
	client.WithAttempts(100)(c)
	client.WithWait(func(ctx context.Context, d time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d / 10):
			return nil
		}
	})(c)
}

// newSubmitRequest returns a request with a resume of the demo. slug, if not empty,
// replaces the person's LinkedIn profile.
func newSubmitRequest(t *testing.T, person person, slug string) contract.SubmitRequest {
	t.Helper()
	content, err := resumes.Files.ReadFile(person.file)
	if err != nil {
		t.Fatal(err)
	}
	if slug == "" {
		slug = person.slug
	}
	return contract.SubmitRequest{
		Name: person.name, Email: person.email, LinkedInURL: "https://www.linkedin.com/in/" + slug,
		Preferences: newPreferences(),
		Resume:      contract.ResumeFile{FileName: &person.file, ContentBase64: base64.StdEncoding.EncodeToString(content)},
	}
}

// person is an invented candidate of local/demo/resumes.
type person struct{ file, name, email, slug string }

var (
	mayaLibreOffice = person{"maya-okafor.libreoffice.pdf", "Maya Okafor", "maya.okafor@example.com", "maya-okafor"}
	mayaChromium    = person{"maya-okafor.chromium.pdf", "Maya Okafor", "maya.okafor@example.com", "maya-okafor"}
	jonas           = person{"jonas-lindqvist.docx", "Jonas Lindqvist", "jonas.lindqvist@example.org", "jonas-lindqvist"}
	priya           = person{"priya-raman.txt", "Priya Raman", "priya.raman@example.com", "priya-raman-demo"}
	scan            = person{"tomas-novak.scan.pdf", "Tomas Novak", "tomas.novak@example.com", "tomas-novak"}
	locked          = person{"maya-okafor.locked.pdf", "Maya Okafor", "maya.okafor@example.com", "maya-okafor"}
	mismatch        = person{"viktor-halvorsen.libreoffice.pdf", "Maya Okafor", "maya.okafor@example.com", "maya-okafor"}
)

func newPreferences() contract.WorkPreferences {
	ote := int64(150_000)
	return contract.WorkPreferences{
		Locations: []contract.Location{"europe", "uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 90_000, OTE: &ote,
		IdealFundingRounds: []contract.FundingRound{"SERIES_A"}, VisaAuthorization: "HAS_VISA_AUTHORIZATION",
		RoleType: []contract.RoleType{"backend_engineer"},
	}
}

// submitAndWait submits and polls until the item is terminal.
func submitAndWait(t *testing.T, c *client.Client, in contract.SubmitRequest) contract.BatchItem {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // a guard against hanging
	defer cancel()
	accepted, err := c.Submit(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return waitForItem(t, ctx, c, accepted.BatchID)
}

func waitForItem(t *testing.T, ctx context.Context, c *client.Client, batchID string) contract.BatchItem {
	t.Helper()
	batch, err := c.WaitForBatch(ctx, batchID)
	if err != nil {
		t.Fatal(err)
	}
	if batch.ItemCount != 1 || len(batch.Items) != 1 {
		t.Fatalf("got %+v; want a batch of one", batch)
	}
	return batch.Items[0]
}
