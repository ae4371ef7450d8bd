// Package iamtest fails a test binary that exceeds the functions' grants, and records
// the accesses of its tests in a file. The files of all packages together must equal the
// grants of the topology (tested in package iam), and those the synthesized policies (in infra).
package iamtest

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
)

// File holds the accesses of a package's tests.
const File = "testdata/actions.golden"

var update = flag.Bool("actions", false, "write "+File+" anew")

// Run is called by TestMain: it runs the tests and returns the exit code. It fails a run
// in which an access was denied, and a run of all tests with accesses that differ from
// the file.
func Run(m *testing.M) int {
	code := m.Run()
	for _, use := range iam.ProcessRecord.Accesses(false) {
		fmt.Printf("FAIL: %s is not granted: enter it in shared/cloud/topology\n", use)
		code = 1
	}
	isWhole := code == 0 && ranAllTests()
	if !isWhole && !*update {
		return code
	}
	if err := compareWithFile(iam.ProcessRecord.Accesses(true)); err != nil {
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
		return os.WriteFile(File, []byte(run.String()), 0o644)
	}
	file, err := os.ReadFile(File)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(string(file), run.String()); diff != "" {
		return fmt.Errorf("the actions used differ from %s; if that is meant, write it with `go test . -actions` (-file +run):\n%s", File, diff)
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
