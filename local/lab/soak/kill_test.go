package soak

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// killPlan is how often the whole system is killed, and what its clients do in each of its lives. No file
// is a PDF: compiling its reader takes longer than a life.
type killPlan struct {
	lives    int
	settings []string // of the system
	// answered is how many candidates are submitted, and answered, before the life can end, and begun how
	// many others are submitted beside a bulk of so many items, each until spread is over.
	answered, begun, bulk int
	spread                time.Duration
	// longest is the longest rest of a life after the answers.
	longest func(life int) time.Duration
	// takesOver ends the leases of requests that died with the process, in place of a wait of a minute for each.
	takesOver bool
	// mayFail allows that an item has failed because each of its attempts was killed.
	mayFail bool
}

// shortLeases let a restarted process soon take over what the killed one had claimed.
var shortLeases = []string{
	"FUNCTION_TIMEOUT=5s", "INGEST_LEASE_GRACE=200ms", "INGEST_RESEND=500ms", "INGEST_RETRY_DELAY=100ms", "SWEEP_EVERY=200ms",
}

// A system that is killed repeatedly, after a submit but before its item has ended, and
// during a submit, loses nothing and does nothing twice.
func TestKilledSystemLosesNothing(t *testing.T) {
	t.Parallel()
	runKills(t, t.Output(), t.TempDir(), killPlan{
		lives: 8, settings: shortLeases, answered: 3, begun: 1, bulk: 3, takesOver: true,
		longest: func(life int) time.Duration { return time.Duration(life+1) * 20 * time.Millisecond },
	})
}

// soakKills kills the system forty times, with the intervals of make run.
func soakKills(t *testing.T, out io.Writer) {
	runKills(t, out, newSoakDir(t), killPlan{
		lives: scaled(40), begun: 3, bulk: 20, spread: 2 * time.Second, mayFail: true,
		longest: func(int) time.Duration { return 2 * time.Second },
	})
}

// killRun is a system that is killed repeatedly, with its clients.
type killRun struct {
	killPlan
	t       *testing.T
	out     io.Writer
	dir     string
	system  *process
	baseURL string // of the first life; another one has another host
	host    atomic.Pointer[string]
	keys    []string
	clients sync.WaitGroup

	mu          sync.Mutex
	submissions []*repeatedSubmission
	failed      []error
	retries     int
	settled     bool // when nothing is killed any more
}

// runKills kills the system with its state in dir again and again while clients repeat unanswered requests, and
// compares the responses with the stored data.
func runKills(t *testing.T, out io.Writer, dir string, plan killPlan) {
	t.Helper()
	k := &killRun{killPlan: plan, t: t, out: out, dir: dir}
	begun := time.Now()
	for life := range k.lives {
		k.start()
		k.submit(life)
		rest := rand.N(k.longest(life))
		t.Logf("life %d ends %v after the last answer", life, rest)
		pause(t.Context(), rest)
		k.system.kill()
	}
	printf(out, "%d kills in %s\n", k.lives, time.Since(begun).Round(time.Second))
	k.start()
	k.checkEnd()
	k.system.interrupt()
}

// start starts a life of the system.
func (k *killRun) start() {
	k.t.Helper()
	k.system = startProcess(k.t, k.dir, k.settings...)
	env := k.system.waitUntilReady()
	u, err := url.Parse(env["BASE_URL"])
	if err != nil {
		k.t.Fatal(err)
	}
	if k.keys == nil {
		k.baseURL = env["BASE_URL"]
		k.keys = createKeys(k.t, openHost(k.t, k.dir), "test", demo.AgencyID, demo.OwnerID)
	} else if k.takesOver {
		k.endLeases()
	}
	k.host.Store(&u.Host)
}

// submit submits the candidates of a life.
func (k *killRun) submit(life int) {
	for n := range k.answered + k.begun {
		slug := fmt.Sprintf("kill-%d-%d", life, n)
		of := samples[n%2]
		in := newSubmission(slug, of, of.readFile())
		single := k.newRepeated(func(ctx context.Context, c *client.Client) (string, error) {
			out, err := c.Submit(ctx, in)
			return out.BatchID, err
		}, slug)
		if n < k.answered {
			k.send(single)
		} else {
			k.begin(single)
		}
	}
	prefix := fmt.Sprintf("kill-%d", life)
	content := append(samples[0].readFile(), prefix...) // an upload of its own
	var slugs []string
	for n := range k.bulk {
		slugs = append(slugs, fmt.Sprintf("%s-bulk-%d", prefix, n))
	}
	k.begin(k.newRepeated(func(ctx context.Context, c *client.Client) (string, error) {
		upload, err := c.Upload(ctx, newSubmission(prefix, samples[0], content).Resume)
		if err != nil {
			return "", err
		}
		out, err := c.SubmitBulk(ctx, newBulk(prefix+"-bulk", k.bulk, samples[0], upload.ResumeFileID))
		if err == nil {
			err = checkBulk(out)
		}
		return out.BatchID, err
	}, slugs...))
}

// repeatedSubmission is a submission that a client sends, with the same Idempotency-Key, until it
// gets a response.
type repeatedSubmission struct {
	slugs  []string // of its people
	post   func(context.Context, *client.Client) (batchID string, err error)
	client *client.Client
	last   *livingHost // of the client

	batchID string
	body    []byte // of the response
}

// newRepeated returns a submission by one of the keys.
func (k *killRun) newRepeated(post func(context.Context, *client.Client) (string, error), slugs ...string) *repeatedSubmission {
	a := &repeatedSubmission{slugs: slugs, post: post, last: &livingHost{host: &k.host}}
	key := k.keys[len(k.submissions)%len(k.keys)]
	a.client = client.New(k.baseURL, key, client.WithAttempts(1000), client.WithRetryHook(k.noteRetry), client.WithWait(waitBriefly),
		client.WithHTTPClient(&http.Client{Transport: a.last, Timeout: time.Minute}))
	k.submissions = append(k.submissions, a)
	return a
}

// begin sends a submission in the background, at a random moment of the life.
func (k *killRun) begin(a *repeatedSubmission) {
	k.clients.Go(func() {
		pause(k.t.Context(), rand.N(k.spread+1))
		k.send(a)
	})
}

// send sends a submission until its response is final, and records a refusal as a failure.
func (k *killRun) send(a *repeatedSubmission) {
	id, err := a.post(k.t.Context(), a.client)
	if err != nil {
		k.noteFailure(fmt.Errorf("%s: %w", a.slugs[0], err))
	}
	a.batchID = id
	a.body = a.last.body
}

// livingHost is a transport that sends requests to the system in its present life, and keeps the last body.
type livingHost struct {
	host *atomic.Pointer[string]
	body []byte
}

// RoundTrip implements http.RoundTripper.
func (l *livingHost) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = *l.host.Load()
	r.Host = r.URL.Host
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	l.body, err = io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(l.body))
	return response, nil
}

// waitBriefly waits a part of the advised time, as a life is short.
func waitBriefly(ctx context.Context, advised time.Duration) error {
	pause(ctx, min(advised/4, 200*time.Millisecond+rand.N(300*time.Millisecond)))
	return ctx.Err()
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// openHost returns a host on the emulators of the process with its data in dir.
func openHost(t *testing.T, dir string) cloud.Host {
	t.Helper()
	env, err := envfile.Read(filepath.Join(dir, "aws"))
	if err != nil || len(env) == 0 {
		t.Fatalf("the process did not write its endpoints: %v", err)
	}
	env[topology.SettingKeyEnvironments] = "test" // of the keys that createKeys creates
	return cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
}
