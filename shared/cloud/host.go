// Package cloud is what surrounds a function: its environment, clock, ids, log and AWS clients. Everything
// that would differ between a deployment, a test and a developer's machine comes in here and nowhere else.
//
// It knows the names in package topology but not the stored data.
package cloud

import (
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Host is the surroundings of one function.
type Host struct {
	// Getenv reads a setting; "" means it is not set.
	Getenv func(string) string
	// Now is the clock, read once per unit of work.
	Now func() time.Time
	// Wait pauses a unit of work and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error
	// NewID returns a new uuid v7.
	NewID func() uuid.UUID
	// Log takes one line per request or worker item, and adds the trace id of its context.
	Log *slog.Logger
	// AWS configures every client.
	AWS   aws.Config
	calls *attempts
}

// FromEnvironment returns the host of a process that reads its own environment.
func FromEnvironment() Host {
	return NewHost(os.Getenv, time.Now, NewStageLog(os.Stdout, os.Getenv(topology.SettingStage), os.Getenv(topology.SettingFunction)))
}

// NewHost returns a host of an environment, a clock and a log.
func NewHost(getenv func(string) string, now func() time.Time, log *slog.Logger) Host {
	calls := &attempts{now: now}
	if log != nil {
		log = slog.New(changedLog{log.Handler(), addTrace})
	}
	return Host{
		Getenv: getenv,
		Now:    now,
		NewID:  func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
		Log:    log,
		AWS:    awsConfig(getenv, calls),
		calls:  calls,
	}
}

// crockford is base32 without the letters I, L, O and U.
var crockford = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// ShortID returns an id in the form of a ULID: 26 characters, in the order of the ids.
func ShortID(id uuid.UUID) string {
	return crockford.EncodeToString(append(make([]byte, 4), id[:]...))[6:]
}

// Must returns a function's service, for its main: the error of a service that cannot be
// opened ends the process. It has to stay small enough to be inlined; otherwise the
// linker keeps every method of the type (0.7 MB of ingest).
func Must[Service any](service Service, err error) Service {
	if err != nil {
		log.Fatal(err)
	}
	return service
}

// Opener opens what a function works with, by its settings, and collects what is missing until [Opener.Err]:
// a function that cannot start reports everything it lacks. Nothing that was opened is used before that.
type Opener struct {
	Host
	db   *dynamo.DB
	errs []error
}

// Opener returns an opener on the host.
func (h Host) Opener() *Opener { return &Opener{Host: h, db: dynamo.New(h.AWS)} }

// Err returns what was missing or malformed; nil when the function can start.
func (o *Opener) Err() error { return errors.Join(o.errs...) }

// Note records the error, if it is one, of something that the caller opened itself. What
// two parts of a function lack is recorded once.
func (o *Opener) Note(err error) {
	if err == nil || slices.ContainsFunc(o.errs, func(said error) bool { return said.Error() == err.Error() }) {
		return
	}
	o.errs = append(o.errs, err)
}

// Write starts a transaction, which may span tables.
func (o *Opener) Write() *dynamo.WriteTx { return o.db.WriteTx() }

// Table opens a table by its deployed name. All tables share one client.
func (o *Opener) Table(t topology.Table) dynamo.Table {
	return o.db.Table(o.RequireSetting(t.Env))
}

// RequireSetting returns a setting that must be set.
func (o *Opener) RequireSetting(name string) string {
	v := o.Getenv(name)
	if v == "" {
		o.Note(fmt.Errorf("the environment variable %s is not set", name))
	}
	return v
}

// Duration returns a setting like "90s", or fallback when it is not set. A value that is refused by [Opener.Err] may be any.
func (o *Opener) Duration(name string, fallback time.Duration) time.Duration {
	raw := o.Getenv(name)
	if raw == "" {
		return fallback
	}
	d, err := time.ParseDuration(raw)
	if err != nil || d <= 0 {
		o.Note(fmt.Errorf("%s must be a positive duration like 90s, not %q", name, raw))
	}
	return d
}

// Int returns a whole number ≥ 0, or fallback when it is not set. A value that is refused by [Opener.Err] may be any.
func (o *Opener) Int(name string, fallback int) int {
	raw := o.Getenv(name)
	if raw == "" {
		return fallback
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < 0 {
		o.Note(fmt.Errorf("%s must be a whole number, not %q", name, raw))
	}
	return n
}

// List returns values separated by commas, without the spaces around them; nil when
// the setting is not set. An empty value is an error: it may be a secret that is lost.
func (o *Opener) List(name string) []string {
	raw := o.Getenv(name)
	if raw == "" {
		return nil
	}
	values := strings.Split(raw, ",")
	for i, value := range values {
		values[i] = strings.TrimSpace(value)
	}
	if slices.Contains(values, "") {
		o.Note(fmt.Errorf("%s holds an empty value", name))
	}
	return values
}

// warmTime is the most that a start waits for its first call.
const warmTime = time.Second

// Warm reads a key that no item has, so that the first request finds a connection open and the client's code
// loaded. It needs the grant of dynamodb:BatchGetItem, and costs half a read unit. Its result is ignored: a
// start neither fails nor waits long for a database that is unavailable.
func (h Host) Warm(ctx context.Context, t topology.Table) {
	o := h.Opener()
	table := o.Table(t)
	if o.Err() != nil {
		return // the function says so when it opens the table
	}
	ctx, cancel := context.WithTimeout(ctx, warmTime)
	defer cancel()
	var nothing []dynamo.Item
	_ = table.Batch(topology.PK, topology.SK).Get(dynamo.Keys{"warm", "warm"}).All(ctx, &nothing)
}
