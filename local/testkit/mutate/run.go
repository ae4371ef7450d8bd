package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"time"
)

// What became of a mutant.
const (
	killed      = "killed"
	survived    = "survived"
	timedOut    = "timed out"
	notCompiled = "not compiled"
)

// result is a mutant with its outcome.
type result struct {
	mutant
	Outcome string
	// Test is the first test that failed.
	Test string `json:",omitempty"`
	// Hash is the hash of the file before the change.
	Hash string
}

// String returns the result in one line.
func (r result) String() string {
	return fmt.Sprintf("%s: %s:%d: %s %s", r.Outcome, r.File, r.Line, r.Change, r.Test)
}

// runner runs the tests of packages.
type runner struct {
	dir     string
	timeout time.Duration
	// unchanged has, for each package, a function that returns an error if its tests fail without a change, and runs them once.
	unchanged sync.Map
}

// test runs the tests of the changed package, and while they pass those of one package that imports it after the other.
func (r *runner) test(ctx context.Context, m mutant) (result, error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return result{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return result{}, err
	}
	done := result{mutant: m, Outcome: survived, Hash: hash(m.source)}
	for _, p := range append([]*pkg{m.pkg}, m.pkg.users...) {
		if err := r.checkUnchanged(ctx, p); err != nil {
			return result{}, err
		}
		out, err := r.runTests(ctx, p, "-overlay="+overlay)
		if ctx.Err() != nil {
			return result{}, ctx.Err()
		}
		done.Outcome, done.Test = readOutcome(out, err)
		if done.Outcome == "" {
			return result{}, fmt.Errorf("running the tests of %s: %w\n%s", p.ImportPath, err, out)
		}
		if done.Outcome != survived {
			break
		}
	}
	return done, nil
}

// checkUnchanged returns an error if a test of a package fails without a change.
func (r *runner) checkUnchanged(ctx context.Context, p *pkg) error {
	check, _ := r.unchanged.LoadOrStore(p.ImportPath, sync.OnceValue(func() error {
		if out, err := r.runTests(ctx, p); err != nil {
			return fmt.Errorf("the tests of %s fail without a change: %w\n%s", p.ImportPath, err, out)
		}
		return nil
	}))
	return check.(func() error)()
}

// writeOverlay writes the changed file and the file that names it for go build's -overlay.
func writeOverlay(dir string, m mutant) (string, error) {
	changed := filepath.Join(dir, "changed.go")
	overlay := filepath.Join(dir, "overlay.json")
	names, err := json.Marshal(map[string]map[string]string{"Replace": {m.path: changed}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(changed, m.changed(), 0o600), os.WriteFile(overlay, names, 0o600))
}

var (
	buildFailure = regexp.MustCompile(`(?m)^FAIL\t.* \[(build|setup) failed\]$`)
	timeout      = regexp.MustCompile(`(?m)^panic: test timed out after `)
	testFailure  = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)
	anyFailure   = regexp.MustCompile(`(?m)^FAIL\t`)
)

// runTests runs the tests of a package and returns the output. The memory of a process is limited to 8 GB, because a changed loop can
// allocate without end.
func (r *runner) runTests(ctx context.Context, p *pkg, flags ...string) ([]byte, error) {
	const script = `ulimit -d 8000000; exec nice go test -short -failfast -vet=off "$@"`
	args := slices.Concat([]string{"-c", script, "sh", "-timeout=" + r.timeout.String()}, flags, []string{p.ImportPath})
	if slices.Contains(p.testImports(), "pgregory.net/rapid") {
		args = append(args, "-rapid.nofailfile") // it would be replayed without the change
	}
	command := exec.CommandContext(ctx, "sh", args...)
	command.Dir = r.dir
	// The test binary too has to end: until then, so does not go test.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGINT) }
	return command.CombinedOutput()
}

// readOutcome returns the outcome of a mutant from the result of its tests, with the first test that failed; "" if the
// tests could not be run.
func readOutcome(out []byte, err error) (outcome, test string) {
	failure := testFailure.FindSubmatch(out)
	switch {
	case err == nil:
		return survived, ""
	case buildFailure.Match(out):
		return notCompiled, ""
	case timeout.Match(out):
		return timedOut, ""
	case failure != nil:
		return killed, string(failure[1])
	case anyFailure.Match(out):
		return killed, ""
	}
	return "", ""
}
