// Package resumetest prepares tests that read PDF files, and tests of memory, for the race
// detector.
//
// Compiling pdfium takes 1.5 s and 140 MB, but under the race detector ten times as long and
// six times as much. The compiled code is the same in both, and is cached in the temporary
// folder: a process without the detector can compile it for one with it.
package resumetest

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
)

// Warm compiles pdfium into the cache that test binaries share. TestMain of every
// package with tests that read PDF files calls it; without the race detector it
// does nothing.
func Warm() error {
	if !Race {
		return nil
	}
	_, err := runPlain("shared/candidate/resume/pdf", "TestSandboxCompiles")
	return err
}

// RanPlain runs the calling test in a process without the race detector if this one has it, and
// reports whether it did; if so, the caller must return. It is for limits of memory and time,
// which apply to the program as it is deployed, and for long computations in one goroutine.
// folder is that of the test's package.
func RanPlain(t *testing.T, folder string) bool {
	t.Helper()
	if !Race {
		return false
	}
	output, err := runPlain(folder, t.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", output)
	return true
}

// runPlain runs one test of a package without the race detector and returns its output. It
// needs the go command. It runs a test and not a program, because wazero keeps separate
// caches for test binaries and other programs.
func runPlain(folder, test string) (output []byte, err error) {
	output, err = exec.Command("go", "test", "-race=false", "-vet=off", "-count=1", "-v", "-run=^"+test+"$",
		"github.com/recruiting-marketplace/external-api/"+folder).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s without the race detector: %w\n%s", test, err, output)
	}
	return output, err
}

// EndingContext ends after End calls of Err, and counts the calls.
type EndingContext struct {
	context.Context
	Checks, End int
}

// Err returns nil for the first End calls, and context.Canceled for all others.
func (c *EndingContext) Err() error {
	c.Checks++
	if c.Checks > c.End {
		return context.Canceled
	}
	return nil
}
