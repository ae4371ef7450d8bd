// Package cloudtest provides tests with the environment of a function: a host on the
// emulators, tables as in package topology, a clock, and hooks around AWS calls that
// record them or lose their results.
//
// The emulators are started per test binary (package emulator), unless the AWS SDK's
// endpoint variables name other endpoints. The package knows no function and no domain.
package cloudtest

import (
	"log/slog"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
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
	for name, value := range env {
		settings[name] = value
	}
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
