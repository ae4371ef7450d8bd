// Package cloud is what surrounds a function: its environment, clock, ids, log
// and AWS clients. Everything that would differ between a deployment, a test
// and a developer's machine comes in here and nowhere else.
//
// It knows the names in package topology but not the stored data.
package cloud

import (
	"context"
	"encoding/base32"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/uuid"

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
