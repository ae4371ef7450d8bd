package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// module has a package whose own test lets two changes pass, which the test of a package that imports it finds.
var module = map[string]string{
	"go.mod": "module example.com/module\n\ngo 1.26\n",
	"size/size.go": `package size

func IsLarge(n int) bool { return n > 10 }
`,
	"size/size_test.go": `package size

import "testing"

func TestIsLarge(t *testing.T) {
	if !IsLarge(1000) {
		t.Error("1000 is not large")
	}
}
`,
	"user/user.go": `package user

import "example.com/module/size"

func IsSmall(n int) bool { return !size.IsLarge(n) }
`,
	"user/user_test.go": `package user

import "testing"

func TestIsSmall(t *testing.T) {
	if !IsSmall(10) || IsSmall(11) {
		t.Error("the bound is not 10")
	}
}
`,
}

// TestRun fails unless the tests of a package and of those that import it are run, and results are taken from the journal.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := writeModule(t)
	c := command{Dir: dir, Packages: []string{"./size"}, Users: []string{"./size"}, Seed: 1, Parallel: 2, Timeout: time.Hour, Least: 50,
		Journal: filepath.Join(dir, "journal", "results.ndjson")}
	const head = "  killed  timed out  survived  not compiled  found  package\n"
	alone := head + "       1          0         2             0   33 %  example.com/module/size\n" +
		"size/size.go:3: n > 10 → n >= 10\nsize/size.go:3: 10 → 5\n"
	got, err := runCommand(t, c)
	if err == nil || !strings.Contains(err.Error(), "the tests of example.com/module/size find 33 %, less than 50") {
		t.Errorf("got %v, want an error with the percentage", err)
	}
	if diff := cmp.Diff(alone, got); diff != "" {
		t.Error(diff)
	}

	c.Users = []string{"./..."}
	got, _ = runCommand(t, c)
	if diff := cmp.Diff(alone, got); diff != "" {
		t.Errorf("not from the journal:\n%s", diff)
	}
	c.Again = true
	got, err = runCommand(t, c)
	if diff := cmp.Diff(head+"       3          0         0             0  100 %  example.com/module/size\n", got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	journal, err := os.ReadFile(c.Journal)
	if err != nil || bytes.Count(journal, []byte("\n")) != 5 || !bytes.Contains(journal, []byte(`"Test":"TestIsSmall"`)) {
		t.Errorf("got %s, %v, want three results and two again", journal, err)
	}
}

func runCommand(t *testing.T, c command) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := c.run(t.Context(), &out)
	return out.String(), err
}

// TestOutcomes reads what go test prints.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	failed := errors.New("exit status 1")
	for _, test := range []struct {
		out           string
		err           error
		outcome, name string
	}{
		{"ok  \texample.com/module/size\t0.1s\n", nil, survived, ""},
		{"?   \texample.com/module/size\t[no test files]\n", nil, survived, ""},
		{"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\nFAIL\nFAIL\texample.com/module/size\t0.1s\nFAIL\n", failed, killed, "TestA"},
		{"signal: killed\nFAIL\texample.com/module/size\t0.1s\nFAIL\n", failed, killed, ""},
		{"size/size.go:3: x\nFAIL\texample.com/module/size [build failed]\nFAIL\n", failed, notCompiled, ""},
		{"panic: test timed out after 1s\n\nFAIL\texample.com/module/size\t1.0s\nFAIL\n", failed, timedOut, ""},
		{"go: cannot find main module\n", failed, "", ""},
	} {
		outcome, name := readOutcome([]byte(test.out), test.err)
		if outcome != test.outcome || name != test.name {
			t.Errorf("%q: got %q, %q, want %q, %q", test.out, outcome, name, test.outcome, test.name)
		}
	}
}

// TestFailuresWithoutChange fails unless tests that fail without a change end the run.
func TestFailuresWithoutChange(t *testing.T) {
	t.Parallel()
	dir := writeModule(t)
	c := command{Dir: dir, Packages: []string{"./size"}, Parallel: 1, Timeout: time.Hour, Journal: filepath.Join(dir, "results.ndjson")}
	writeFile(t, dir, "size/size.go", "package size\n\nfunc IsLarge(n int) bool { return n > 1000 }\n")
	if _, err := runCommand(t, c); err == nil || !strings.Contains(err.Error(), "1000 is not large") {
		t.Errorf("got %v, want the failure", err)
	}
}

func writeModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range module {
		writeFile(t, dir, name, content)
	}
	return dir
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
