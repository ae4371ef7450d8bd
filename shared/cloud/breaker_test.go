package cloud_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// unwell is a database that responds as a test says, and counts the requests.
type unwell struct {
	requests atomic.Int64
	response atomic.Pointer[http.HandlerFunc]
	clock    *cloudtest.Clock
	db       *dynamo.DB
}

func newUnwell(t *testing.T) *unwell {
	t.Helper()
	u := &unwell{clock: cloudtest.NewClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u.requests.Add(1)
		(*u.response.Load())(w, r)
	}))
	t.Cleanup(server.Close)
	env := map[string]string{"AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s"}
	host := cloud.NewHost(func(name string) string { return env[name] }, u.clock.Now, slog.New(slog.DiscardHandler))
	u.db = dynamo.New(host.AWS)
	return u
}

// respond sets the responses to come.
func (u *unwell) respond(status int, body string) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	})
	u.response.Store(&handler)
}

// Responses of DynamoDB.
const (
	fine        = `{"Item":{"pk":{"S":"a"}}}`
	broken      = `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`
	conflicting = `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException"}`
	throttling  = `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}`
	failing     = `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}`
	malformed   = `{"__type":"com.amazon.coral.validate#ValidationException"}`
)

func (u *unwell) read(ctx context.Context, table string) error {
	var item struct{}
	return u.db.Table(table).Get("pk", "a").One(ctx, &item)
}

func (u *unwell) write(ctx context.Context, table string) error {
	return u.db.Table(table).Update("pk", "a").Set("n", 1).Run(ctx)
}

// wantRequests fails unless the test has made so many requests since the last call.
func (u *unwell) wantRequests(t *testing.T, least, most int64) {
	t.Helper()
	if made := u.requests.Swap(0); made < least || made > most {
		t.Errorf("made %d requests, want %d to %d", made, least, most)
	}
}

// TestAFailingTableIsNotAskedAgainAndAgain fails if calls of a table that fails make many requests, if
// their callers are not told to wait, or if calls still fail five seconds after the table is well again.
func TestAFailingTableIsNotAskedAgainAndAgain(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(u *unwell, ctx context.Context, table string) error{
		"reads": (*unwell).read, "writes": (*unwell).write,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUnwell(t)
			u.respond(http.StatusInternalServerError, broken)
			var last error
			for range 30 {
				last = call(u, t.Context(), "roles")
			}
			u.wantRequests(t, 1, 45)
			if e := fault.As(last); e.Kind != fault.Unavailable || e.RetryAfter <= 0 {
				t.Errorf("got %v, want a refusal with a time to wait", last)
			}
			u.respond(http.StatusOK, fine)
			u.clock.Move(5 * time.Second)
			for range 3 {
				if err := call(u, t.Context(), "roles"); err != nil {
					t.Errorf("the table is well again, and a call fails: %v", err)
				}
			}
		})
	}
}

// TestConcurrentCallsOfAFailingTable fails if thirty calls at a time make many requests.
func TestConcurrentCallsOfAFailingTable(t *testing.T) {
	t.Parallel()
	u := newUnwell(t)
	u.respond(http.StatusInternalServerError, broken)
	var group errgroup.Group
	for range 30 {
		group.Go(func() error { return u.read(t.Context(), "roles") })
	}
	if group.Wait() == nil {
		t.Error("no call failed")
	}
	u.wantRequests(t, 1, 45)
}

// TestOneProbe fails unless a single attempt is made when the pause is over, and another pause follows it if it fails.
func TestOneProbe(t *testing.T) {
	t.Parallel()
	u := newUnwell(t)
	u.respond(http.StatusInternalServerError, broken)
	for range 3 {
		_ = u.read(t.Context(), "roles")
	}
	u.wantRequests(t, 5, 5)
	arrived := make(chan struct{})
	goOn := make(chan struct{})
	hangs := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-goOn
		w.WriteHeader(http.StatusInternalServerError)
	})
	u.response.Store(&hangs)
	u.clock.Move(5 * time.Second)
	var probe sync.WaitGroup
	probe.Go(func() { _ = u.read(t.Context(), "roles") })
	<-arrived
	if err := u.read(t.Context(), "roles"); fault.As(err).Kind != fault.Unavailable {
		t.Errorf("during the probe: got %v, want a refusal", err)
	}
	close(goOn)
	probe.Wait()
	u.wantRequests(t, 1, 1)
	if err := u.read(t.Context(), "roles"); fault.As(err).Kind != fault.Unavailable {
		t.Errorf("after a probe that failed: got %v, want a refusal", err)
	}
	u.wantRequests(t, 0, 0)
}

// TestAProbeWhoseCallerHasGone fails unless the next call is the probe.
func TestAProbeWhoseCallerHasGone(t *testing.T) {
	t.Parallel()
	u := newUnwell(t)
	u.respond(http.StatusInternalServerError, broken)
	for range 3 {
		_ = u.read(t.Context(), "roles")
	}
	u.clock.Move(5 * time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	gone := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		panic(http.ErrAbortHandler)
	})
	u.response.Store(&gone)
	if u.read(ctx, "roles") == nil {
		t.Error("a call whose caller has gone succeeded")
	}
	u.respond(http.StatusOK, fine)
	if err := u.read(t.Context(), "roles"); err != nil {
		t.Errorf("got %v, want the item", err)
	}
}

// TestRefusalsOfATableAreNoFailures fails if what one tenant can cause stops the calls of others, or if the calls of one
// table stop those of another.
func TestRefusalsOfATableAreNoFailures(t *testing.T) {
	t.Parallel()
	for name, response := range map[string]string{"conflicts": conflicting, "rates": throttling, "conditions": failing, "requests": malformed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUnwell(t)
			u.respond(http.StatusBadRequest, response)
			for range 2 {
				_ = u.write(t.Context(), "roles")
				_ = u.read(t.Context(), "roles")
			}
			u.respond(http.StatusOK, fine)
			if err := u.read(t.Context(), "roles"); err != nil {
				t.Errorf("got %v, want the item", err)
			}
		})
	}
	t.Run("another table", func(t *testing.T) {
		t.Parallel()
		u := newUnwell(t)
		u.respond(http.StatusInternalServerError, broken)
		for range 30 {
			_ = u.read(t.Context(), "roles")
		}
		u.respond(http.StatusOK, fine)
		if err := u.read(t.Context(), "accounts"); err != nil {
			t.Errorf("got %v, want the item", err)
		}
	})
}

// TestAttempts fails unless conflicts are retried ten times without a limit for all calls, throttled writes within the
// quota of retries, and everything else twice.
func TestAttempts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call        func(u *unwell, ctx context.Context, table string) error
		response    string
		times       int
		least, most int64
	}{
		"conflicts":        {(*unwell).write, conflicting, 12, 120, 120},
		"throttled writes": {(*unwell).write, throttling, 12, 112, 112}, // 12 and the hundred retries of the quota
		"throttled reads":  {(*unwell).read, throttling, 10, 30, 30},
		"conditions":       {(*unwell).write, failing, 3, 3, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUnwell(t)
			u.respond(http.StatusBadRequest, test.response)
			var group errgroup.Group
			for range test.times {
				group.Go(func() error { return test.call(u, t.Context(), "roles") })
			}
			if group.Wait() == nil {
				t.Error("no call failed")
			}
			u.wantRequests(t, test.least, test.most)
		})
	}
}

// TestATableThatCannotBeReached fails if an unreachable table is asked in each call.
func TestATableThatCannotBeReached(t *testing.T) {
	t.Parallel()
	var attempts atomic.Int64
	env := map[string]string{"AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s"}
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
	host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, _ cloud.Call, send func() error) error {
		attempts.Add(1)
		return send()
	})
	db := dynamo.New(host.AWS)
	var group errgroup.Group
	for range 20 {
		group.Go(func() error { return db.Table("roles").Put(map[string]string{"pk": "a"}).Run(t.Context()) })
	}
	if group.Wait() == nil || attempts.Load() > 45 {
		t.Errorf("made %d attempts", attempts.Load())
	}
}
