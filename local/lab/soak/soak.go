// Package soak contains checks that take minutes, all of one promise: what was accepted is kept.
// An hour passes without the profile provider, the system is killed forty times, one agency submits
// thousands of candidates, and a tool that submits a file of them is killed. Each check drives the
// real system over its API, prints figures, and returns an error if the promise is not kept.
//
// The checks are measurements, not tests: the results depend on the machine. They send
// requests only to this machine.
package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Options are what every part is run with.
type Options struct {
	// Out receives the tables.
	Out io.Writer
	// Program is the command `local`, which is started and killed as a child process.
	Program string
	// Settings are further variables of the environment of a command that Program runs.
	Settings []string
	// Scale multiplies the size of every part. The promises are made for 1.
	Scale float64
}

// Parts lists the names that [Run] knows, in the order of "all".
var Parts = []string{"outage", "kill", "flood", "bulk"}

var runners = map[string]func(context.Context, Options) error{
	"outage": runOutage,
	"kill":   runKills,
	"flood":  runFlood,
	"bulk":   runFile,
}

// Run runs the named parts, or all of them if none is named, and returns their errors. A part
// that fails does not stop the others.
func Run(ctx context.Context, o Options, parts []string) (failed error) {
	if len(parts) == 0 {
		parts = Parts
	}
	for _, name := range parts {
		begun := time.Now()
		printf(o.Out, "\n== %s\n", name)
		if err := runners[name](ctx, o); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", name, err))
			printf(o.Out, "FAILED: %v\n", err)
		}
		printf(o.Out, "(%s took %s)\n", name, time.Since(begun).Round(time.Second))
	}
	return failed
}

// scale returns n multiplied by the scale, at least 1.
func (o Options) scale(n int) int { return max(1, int(float64(n)*o.Scale)) }

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// printf prints a part of a report. An error is ignored: it means that the reader of the report
// has closed the output.
func printf(to io.Writer, format string, values ...any) { _, _ = fmt.Fprintf(to, format, values...) }
