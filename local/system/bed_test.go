package system_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/conform"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/emulator"
	"github.com/recruiting-marketplace/external-api/local/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// bed is a running system of one test, with a clock that can be moved.
type bed struct {
	*system.System
	t      *testing.T
	ahead  atomic.Int64
	frozen atomic.Pointer[time.Time]
}

// quick makes every wait of the workers short, and a handler none too slow.
var quick = map[string]string{
	"INGEST_RESEND": "300ms", "INGEST_RETRY_DELAY": "50ms", "INGEST_LEASE_GRACE": "100ms", "SWEEP_EVERY": "100ms",
	"REQUEST_TIMEOUT": cloudtest.Patience,
}

// start runs a system of the test's own; env changes settings, hooks stand
// around the functions' AWS calls.
func start(t *testing.T, env map[string]string, hooks ...cloud.Hook) *bed {
	t.Helper()
	return startWith(t, env, system.Options{Hooks: hooks})
}

// startWith is start with the options that no other test needs.
func startWith(t *testing.T, env map[string]string, o system.Options) *bed {
	t.Helper()
	settings := maps.Clone(quick)
	maps.Copy(settings, env)
	b := &bed{t: t}
	o.Emulators = emulator.ForTest(t, emulator.DynamoDB, emulator.SQS, emulator.S3)
	o.Prefix = strings.ToLower(uuid.NewString()) + "-"
	o.Getenv = func(name string) string { return settings[name] }
	o.Now = b.now
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(cloudtest.Output(t), nil))
	}
	s, err := system.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	conform.Watch(t, s.BaseURL)
	b.System = s
	return b
}

func (b *bed) now() time.Time {
	at := b.frozen.Load()
	if at == nil {
		at = new(time.Now())
	}
	return at.Add(time.Duration(b.ahead.Load()))
}

// move sets the clock ahead.
func (b *bed) move(d time.Duration) { b.ahead.Add(int64(d)) }

// freeze stops the clock; it goes on by move alone.
func (b *bed) freeze(at time.Time) { b.frozen.Store(&at) }

// key creates a key of environment test.
func (b *bed) key(kind contract.KeyType, principal, actor string) string {
	b.t.Helper()
	return b.createKey(keys.Request{Type: kind, Principal: principal, Actor: actor, Environment: "test"}).Secret
}

func (b *bed) createKey(r keys.Request) keys.Response {
	b.t.Helper()
	r.Action, r.Name = keys.Create, "test"
	if r.Scopes == nil {
		r.Scopes = r.Type.Scopes()
	}
	service, err := keys.New(b.t.Context(), system.Permitted(b.Host, "keys"))
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := service.Handle(b.t.Context(), r)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// agencyKey creates a key of the demo agency.
func (b *bed) agencyKey() string {
	b.t.Helper()
	return b.key(contract.AgencyKey, demo.AgencyID, demo.OwnerID)
}

// agency is a client of the demo agency, with a key of its own.
func (b *bed) agency() *client.Client {
	b.t.Helper()
	return client.New(b.BaseURL, b.agencyKey(), hurried)
}

// hurried makes a client wait a tenth of what it is advised. Polling may so use up
// a window; the attempts are enough to come to the end of it, each a tenth nearer.
func hurried(c *client.Client) {
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

// request submits a file of the demo for its person; slug, when given, is the
// LinkedIn profile instead.
func request(t *testing.T, person person, slug string) contract.SubmitRequest {
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
		Preferences: preferences(),
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

func preferences() contract.WorkPreferences {
	ote := int64(150_000)
	return contract.WorkPreferences{
		Locations: []string{"europe", "uk"}, WorkplaceTypes: []string{"REMOTE"}, SalaryMin: 90_000, OTE: &ote,
		IdealFundingRounds: []string{"SERIES_A"}, VisaAuthorization: "HAS_VISA_AUTHORIZATION",
		RoleType: []string{"backend_engineer"},
	}
}

// outcome submits and polls until the item is terminal.
func outcome(t *testing.T, c *client.Client, in contract.SubmitRequest) contract.BatchItem {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // a guard against hanging
	defer cancel()
	accepted, err := c.Submit(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	return settled(t, ctx, c, accepted.BatchID)
}

func settled(t *testing.T, ctx context.Context, c *client.Client, batchID string) contract.BatchItem {
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
