package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFailuresStandAtTheEndOfTheTests holds that .ci/test names at its end which test of which package failed, with
// what it said, after the tests that passed later.
func TestFailuresStandAtTheEndOfTheTests(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "planted_test.go")
	planted := "package planted\n\nimport \"testing\"\n\n" +
		"func TestPlanted(t *testing.T) { t.Error(\"what it said\") }\n\nfunc TestLater(t *testing.T) {}\n"
	if err := os.WriteFile(file, []byte(planted), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("../.ci/test", file)
	run.Env = append(os.Environ(), "SKIP=", "DYNAMODB=", "GOTESTSUM_FORMAT=")
	out, err := run.CombinedOutput()
	_, report, _ := strings.Cut(string(out), "=== Failed\n")
	isNamed := strings.HasPrefix(report, "=== FAIL: command-line-arguments TestPlanted (")
	isTold := strings.Contains(report, "planted_test.go:5: what it said")
	isCounted := strings.Contains(report, "\nDONE 2 tests, 1 failure in ")
	isWhole := isNamed && isTold && isCounted
	if err == nil || !isWhole || strings.Contains(report, "TestLater") {
		t.Errorf(".ci/test ends with %v and reports %s", err, out)
	}
}
