// Package cloudtest provides tests with the environment of a function: a host on the
// emulators, tables as in package topology, a clock, and hooks around AWS calls that
// record them or lose their results.
//
// The emulators are started per test binary (package emulator), unless the AWS SDK's
// endpoint variables name other endpoints. The package knows no function and no domain.
package cloudtest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/resources"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Patience is the setting REQUEST_TIMEOUT of tests, long enough for slow machines.
const Patience = "5m"

// Draws returns how many cases a test draws if n are enough for it: n, a fifth of them with -short,
// as rapid does, or as many times n as the environment variable DRAWS says.
func Draws(n int) int {
	if times, err := strconv.Atoi(os.Getenv("DRAWS")); err == nil {
		n *= times
	}
	if testing.Short() {
		return n / 5
	}
	return n
}

// Host returns a host with all tables of the topology, created for this test. env adds
// or replaces settings; now is the clock. The log goes to the test's output.
func Host(t testing.TB, env map[string]string, now func() time.Time) cloud.Host {
	t.Helper()
	settings := emulator.ForTest(t).Env()
	settings["REQUEST_TIMEOUT"] = Patience
	maps.Copy(settings, env)
	host := cloud.NewHost(func(name string) string { return settings[name] }, now, slog.New(slog.NewTextHandler(Output(t), nil)))
	for _, table := range topology.Tables {
		if settings[table.Env] == "" {
			settings[table.Env] = createTable(t, host, table)
		}
	}
	return host
}

// TableOf returns a table of a host.
func TableOf(t testing.TB, host cloud.Host, table topology.Table) dynamo.Table {
	t.Helper()
	o := host.Opener()
	opened := o.Table(table)
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	return opened
}

// Table creates a table of this shape under a unique name.
func Table(t testing.TB, table topology.Table) dynamo.Table {
	t.Helper()
	_, out := Database(t, table)
	return out
}

// Database creates a table as [Table] does and also returns its database, for transactions, with
// hooks around its calls, except around those that create the table.
func Database(t testing.TB, table topology.Table, hooks ...cloud.Hook) (*dynamo.DB, dynamo.Table) {
	t.Helper()
	settings := emulator.ForTest(t).Env()
	host := cloud.NewHost(func(name string) string { return settings[name] }, time.Now, slog.New(slog.DiscardHandler))
	name := createTable(t, host, table)
	for _, hook := range hooks {
		host.AWS = cloud.WithHook(host.AWS, hook)
	}
	db := dynamo.New(host.AWS)
	return db, db.Table(name)
}

func createTable(t testing.TB, host cloud.Host, table topology.Table) string {
	t.Helper()
	name := uniqueName(table.Name)
	if err := resources.EnsureTable(t.Context(), dynamodb.NewFromConfig(host.AWS), table, name, false); err != nil {
		t.Fatal(err)
	}
	return name
}

// System returns a host as [Host] does, with all queues and buckets of the topology in
// addition.
func System(t testing.TB, env map[string]string, now func() time.Time) cloud.Host {
	t.Helper()
	settings := emulator.ForTest(t, emulator.DynamoDB, emulator.SQS, emulator.S3).Env()
	maps.Copy(settings, env)
	h := cloud.NewHost(func(name string) string { return settings[name] }, now, slog.New(slog.DiscardHandler))
	made, err := resources.EnsureQueuesAndBuckets(t.Context(), h.AWS, uniqueName)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(settings, made)
	return Host(t, settings, now)
}

func uniqueName(name string) string { return name + "-" + strings.ToLower(uuid.NewString()) }

// Clock is a clock that only moves when a test moves it. Its method Now serves as the
// clock of a [cloud.Host]. The zero value shows the zero time.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that shows a time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Set sets the clock's time.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// Move advances the clock by d.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Output returns a writer to the test's output that drops what is written after the
// test. A call that was given up or a process that was killed may still write then, and
// the test's own writer would panic and end the package's other tests.
func Output(t testing.TB) io.Writer {
	o := &output{to: t.Output()}
	t.Cleanup(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.to = io.Discard
	})
	return o
}

type output struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer; it succeeds after the test, too.
func (o *output) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(line)
}

// ForExample returns what an example, which has no [testing.T], passes to the functions of
// this package. A failure panics.
func ForExample() testing.TB { return example{} }

// example embeds the interface for its unexported method; a method that is not
// implemented here panics.
type example struct{ testing.TB }

func (example) Helper()                  {}
func (example) Context() context.Context { return context.Background() }
func (example) Fatal(args ...any)        { panic(fmt.Sprint(args...)) }
