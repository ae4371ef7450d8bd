package system_test

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
)

func TestMain(m *testing.M) {
	for _, name := range []string{"BASE_URL", "AGENCY_KEY", "RECRUITER_KEY"} { // of a shell that has run ". .local/env"
		_ = os.Unsetenv(name)
	}
	if err := resumetest.Warm(); err != nil { // the functions' time-outs leave no time to compile under the race detector
		log.Fatal(err)
	}
	debug.SetGCPercent(400) // the tests allocate much memory and hold little
	os.Exit(conform.Run(func() int { return runRecorded(m) }))
}

// recordFile holds the accesses of this package's tests, which are those of the functions: a test of package iam holds them equal to
// the grants of the topology.
const recordFile = "testdata/actions.golden"

var update = flag.Bool("actions", false, "write "+recordFile+" anew")

// runRecorded runs the tests and returns the exit code. It fails a run in which an access was denied, and a run of all tests with
// accesses that differ from the file.
func runRecorded(m *testing.M) int {
	code := m.Run()
	for _, use := range iam.Accesses(false) {
		fmt.Printf("FAIL: %s is not granted: enter it in shared/cloud/topology\n", use)
		code = 1
	}
	isWhole := code == 0 && ranAllTests()
	if !isWhole && !*update {
		return code
	}
	if err := compareWithFile(iam.Accesses(true)); err != nil {
		fmt.Println("FAIL:", err)
		return 1
	}
	return code
}

func compareWithFile(uses []iam.Access) error {
	var run strings.Builder
	for _, use := range uses {
		run.WriteString(use.String() + "\n")
	}
	if *update {
		return os.WriteFile(recordFile, []byte(run.String()), 0o644)
	}
	file, err := os.ReadFile(recordFile)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(string(file), run.String()); diff != "" {
		return fmt.Errorf("the actions used differ from %s; if that is meant, write it with `go test . -actions` (-file +run):\n%s", recordFile, diff)
	}
	return nil
}

// ranAllTests reports whether no flag selected some of the tests or of their cases.
func ranAllTests() bool {
	for _, name := range []string{"test.run", "test.skip", "test.fuzz", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}
