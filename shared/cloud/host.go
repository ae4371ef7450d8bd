// Package cloud is what surrounds a function: its environment, clock, ids, log
// and AWS clients. Everything that would differ between a deployment, a test
// and a developer's machine comes in here and nowhere else.
//
// It knows the names in package topology but not the stored data.
package cloud

import (
	"context"
	"encoding/base32"
	"fmt"
	"log/slog"
	"os"
	"strconv"
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
	AWS aws.Config
	// calls guards the calls of AWS's clients.
	calls *attempts
}

// FromEnvironment returns the host of a process that reads its own environment.
func FromEnvironment() Host {
	return NewHost(os.Getenv, time.Now, NewStageLog(os.Stdout, os.Getenv(topology.SettingStage), os.Getenv(topology.SettingFunction)))
}

// NewHost returns a host of an environment, a clock and a log.
func NewHost(getenv func(string) string, now func() time.Time, log *slog.Logger) Host {
	calls := &attempts{now: now}
	return Host{
		Getenv: getenv,
		Now:    now,
		NewID:  func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
		Log:    withTraces(log),
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

// Table opens a table by its deployed name; it fails if the environment lacks it.
func (h Host) Table(t topology.Table) (dynamo.Table, error) {
	name, err := h.RequireSetting(t.Env)
	if err != nil {
		return dynamo.Table{}, err
	}
	return dynamo.New(h.AWS).Table(name), nil
}

// Duration returns a setting like "90s", or fallback when it is not set.
func (h Host) Duration(name string, fallback time.Duration) (time.Duration, error) {
	raw := h.Getenv(name)
	if raw == "" {
		return fallback, nil
	}
	d, err := time.ParseDuration(raw)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s must be a positive duration like 90s, not %q", name, raw)
	}
	return d, nil
}

// Int returns a whole number ≥ 0, or fallback when it is not set.
func (h Host) Int(name string, fallback int) (int, error) {
	raw := h.Getenv(name)
	if raw == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s must be a whole number, not %q", name, raw)
	}
	return n, nil
}

// RequireSetting returns a setting; it fails if it is not set.
func (h Host) RequireSetting(name string) (string, error) {
	if v := h.Getenv(name); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("the environment variable %s is not set", name)
}
