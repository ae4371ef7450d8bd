// Package cloudtest gives tests the surroundings of a function: a host on the
// emulators, tables as package topology says, and hooks around AWS calls that
// count them or lose their answers.
//
// The emulators are the test binary's own (package emulator), or whatever the
// AWS SDK's endpoint variables name.
package cloudtest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/emulator"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Patience is the setting REQUEST_TIMEOUT of tests: a slow machine fails none.
const Patience = "5m"

// Host makes a host with all the tables of the topology, each test's its own.
// env adds settings or replaces what the host has; now is the clock. The log
// goes to the test's output.
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

// TableOf opens a table of a host.
func TableOf(t testing.TB, host cloud.Host, table topology.Table) dynamo.Table {
	t.Helper()
	opened, err := host.Table(table)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// Table makes a table of this shape under a name of its own.
func Table(t testing.TB, table topology.Table) dynamo.Table {
	t.Helper()
	_, out := Database(t, table)
	return out
}

// Database makes a table as Table does, and tells the database that it is in,
// for transactions.
func Database(t testing.TB, table topology.Table) (*dynamo.DB, dynamo.Table) {
	t.Helper()
	return Hooked(t, table)
}

// Hooked is Database with hooks around its calls. They do not see the table
// being made.
func Hooked(t testing.TB, table topology.Table, hooks ...cloud.Hook) (*dynamo.DB, dynamo.Table) {
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
