package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// runVariable makes the test binary behave as the command itself, so that a test can
// start, kill and restart the real process.
const runVariable = "TEST_RUN_LOCAL"

func TestMain(m *testing.M) {
	if os.Getenv(runVariable) != "" {
		main()
		return
	}
	for _, name := range []string{"BASE_URL", "AGENCY_KEY", "RECRUITER_KEY"} { // of a shell that has run ". .local/env"
		_ = os.Unsetenv(name)
	}
	if err := resumetest.Warm(); err != nil {
		log.Fatal(err)
	}
	code := conform.Run(m.Run)
	_ = os.RemoveAll(first.dir)
	os.Exit(code)
}

// first is a run with an empty directory, stopped as soon as it was ready. Most of its time goes to loading the demo.
var first struct {
	once   sync.Once
	ready  bool
	dir    string
	env    map[string]string
	stdout string
}

// runFirst completes first, once for all tests.
func runFirst(t *testing.T) {
	t.Helper()
	first.once.Do(func() {
		dir, err := os.MkdirTemp("", "local")
		if err != nil {
			t.Fatal(err)
		}
		first.dir = dir
		p := startProcess(t, dir)
		first.env = p.waitUntilReady()
		p.checkKeys(first.env)
		p.interrupt()
		first.stdout = p.stdout.String()
		first.ready = true
	})
	if !first.ready {
		t.Fatal("the first run has failed")
	}
}

// loadedDir returns a directory of its own with the state that the first run has left.
func loadedDir(t *testing.T) string {
	t.Helper()
	runFirst(t)
	dir := t.TempDir()
	files, err := os.ReadDir(first.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(first.dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file.Name()), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// process is a running `local`.
type process struct {
	t      testing.TB
	cmd    *exec.Cmd
	dir    string
	stdout *bytes.Buffer
	stderr *bytes.Buffer // to be read after the process has ended
	ended  chan struct{} // closed when it has
	cause  error         // of its end, to be read after that
}

// startProcess starts `local` with its state in dir, on a free port, and returns at once.
func startProcess(t testing.TB, dir string, settings ...string) *process {
	t.Helper()
	p := &process{t: t, dir: dir, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, ended: make(chan struct{})}
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), runVariable+"=1", "PORT=0", "DATA_DIR="+dir)
	p.cmd.Env = append(p.cmd.Env, settings...)
	p.cmd.Stdout = p.stdout
	p.cmd.Stderr = io.MultiWriter(cloudtest.Output(t), p.stderr)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		p.cause = p.cmd.Wait()
	}()
	t.Cleanup(p.kill)
	return p
}

// waitUntilReady waits for the file env and returns its content.
func (p *process) waitUntilReady() map[string]string {
	p.t.Helper()
	limit := time.After(3 * time.Minute) // a guard against hanging
	for {
		env, err := envfile.Read(filepath.Join(p.dir, "env"))
		if err == nil {
			_, err = newProbe(env["BASE_URL"], "").Health(p.t.Context())
		}
		if err == nil {
			return env
		}
		select {
		case <-p.ended:
			p.t.Fatalf("the system ended while starting: %v\n%s", p.cause, p.stderr)
		case <-limit:
			p.t.Fatal("the system did not come up")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// wait returns the cause of the process's end, nil for a clean stop, once it has ended.
func (p *process) wait() error {
	<-p.ended
	return p.cause
}

// kill ends the process without notice, as a power cut would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.wait()
}

// interrupt ends the process as Ctrl-C does.
func (p *process) interrupt() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	if err := p.wait(); err != nil {
		p.t.Errorf("Ctrl-C: %v; want a clean stop", err)
	}
}

// checkKeys fails if a key of the file env does not work.
func (p *process) checkKeys(env map[string]string) {
	p.t.Helper()
	for _, name := range []string{"AGENCY_KEY", "RECRUITER_KEY"} {
		who, err := client.New(env["BASE_URL"], env[name]).Identity(p.t.Context())
		if err != nil || who.Environment != "test" {
			p.t.Errorf("%s: got %+v, %v; want an identity of environment test", name, who, err)
		}
	}
}

// checkWelcome fails if a run with this file env has not printed what an integrator needs.
func checkWelcome(t *testing.T, env map[string]string, stdout string) {
	t.Helper()
	for _, text := range []string{env["BASE_URL"], env["BASE_URL"] + "/docs", env["AGENCY_KEY"], env["RECRUITER_KEY"], "curl "} {
		if !strings.Contains(stdout, text) {
			t.Errorf("the welcome lacks %q:\n%s", text, stdout)
		}
	}
}

// A run prints what an integrator needs, its keys work and outlive a restart, a
// second run on its port says so, and Ctrl-C stops it cleanly.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := loadedDir(t)
	checkWelcome(t, first.env, first.stdout)
	p := startProcess(t, dir)
	env := p.waitUntilReady()
	p.checkKeys(env)
	if env["AGENCY_KEY"] != first.env["AGENCY_KEY"] || env["RECRUITER_KEY"] != first.env["RECRUITER_KEY"] {
		t.Error("a restart made new keys; want those of the first run")
	}
	sourced := exec.Command("sh", "-c", `. "$0"; printenv BASE_URL`, filepath.Join(dir, "env"))
	sourced.Env = []string{"PATH=" + os.Getenv("PATH")}
	if out, err := sourced.Output(); err != nil || strings.TrimSpace(string(out)) != env["BASE_URL"] {
		t.Errorf("a program of the shell that reads the file env has BASE_URL %q, %v; want %s", out, err, env["BASE_URL"])
	}
	port := strings.TrimSuffix(strings.TrimPrefix(env["BASE_URL"], "http://127.0.0.1:"), "/api/external/v1")
	if _, err := strconv.Atoi(port); err != nil || !strings.Contains(env["MEMBER_EMAIL"], "@") {
		t.Errorf("env is %v", env)
	}
	startSecondRun(t, port)
	if out, err := runToEnd(t, []string{"DATA_DIR=" + dir}, "canary"); err != nil || !strings.HasPrefix(out, "passed in ") {
		t.Errorf("the canary: %v, %s", err, out)
	}
	out, err := runToEnd(t, []string{"DATA_DIR=" + dir, "CANARY_URL=" + env["BASE_URL"]}, "canary")
	if err == nil || !strings.Contains(out, "the canary needs CANARY_AGENCY_KEY") {
		t.Errorf("the canary of a deployment without keys: %v, %s; want no key of the local system", err, out)
	}
	for args, want := range map[string]string{
		"restore erasures --since 2026-01-01T00:00:00Z": "applied 0 erasures again",
		"restore orphans":   "no orphans",
		"restore catalogue": "published a catalogue of 240 roles",
	} {
		if out, err := runToEnd(t, []string{"DATA_DIR=" + dir}, strings.Fields(args)...); err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v, %s", args, err, out)
		}
	}
	p.interrupt()
	checkWelcome(t, env, p.stdout.String())
}

// startSecondRun starts another run on a port that is taken.
func startSecondRun(t *testing.T, port string) {
	t.Helper()
	out, err := runToEnd(t, []string{"DATA_DIR=" + t.TempDir(), "PORT=" + port})
	if err == nil {
		t.Errorf("a second run on port %s exits with 0", port)
	}
	if first, _, _ := strings.Cut(out, "\n"); !strings.Contains(first, "port "+port+" is taken") {
		t.Errorf("a second run says %q; want it to name the port", out)
	}
}

// runToEnd runs `local` to its end, with settings, and returns all that it printed.
func runToEnd(t *testing.T, settings []string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a guard against hanging
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(append(os.Environ(), runVariable+"=1"), settings...)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%v did not end", args)
	}
	return string(out), err
}

// A refusal says what to do instead.
func TestRefusals(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		setting string
		args    []string
		want    string
	}{
		{"DATA_DIR=" + file, nil, "choose another one, for example: make run DATA_DIR="},
		{"DATA_DIR=" + t.TempDir(), []string{"keys", "list"}, "start it with make run"},
		{"DATA_DIR=" + t.TempDir(), []string{"restore", "orphans"}, "start it with make run"},
		{"DATA_DIR=" + t.TempDir(), []string{"restore", "erasures", "--since=noon"}, "--since must be like"},
		{"DATA_DIR=" + t.TempDir(), []string{"canary"}, "start it with make run"},
		{"DATA_DIR=" + t.TempDir(), []string{"demo", "--roles=0"}, "--roles must be 1 or more"},
		{"DATA_DIR=" + t.TempDir(), []string{"demo", "--candidates=299"}, "--candidates must be 300 or more"},
	} {
		out, err := runToEnd(t, []string{"PORT=0", tt.setting}, tt.args...)
		if err == nil || !strings.Contains(out, tt.want) {
			t.Errorf("%v: got %v, %q; want %q in it", tt.args, err, out, tt.want)
		}
	}
}

// An interrupted start is no failure.
func TestInterruptedStart(t *testing.T) {
	t.Parallel()
	p := startProcess(t, filepath.Join(t.TempDir(), "data"))
	for limit := time.Now().Add(3 * time.Minute); ; time.Sleep(5 * time.Millisecond) { // a guard against hanging
		if files, _ := os.ReadDir(p.dir); len(files) > 0 {
			break
		}
		if time.Now().After(limit) {
			t.Fatal("the start has made no file")
		}
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.wait(); err != nil {
		t.Errorf("got %v, want a clean stop", err)
	}
}

// A restart on the port of a killed run does not check whether that run is up, which
// would be a request to itself.
func TestRestartSendsItselfNoRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked := false
	own := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer own.Close()
	env := "BASE_URL=" + own.URL + "/api/external/v1\nAGENCY_KEY=x\n"
	if err := os.WriteFile(filepath.Join(dir, "env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := checkEarlierRun(t.Context(), dir, own.Listener.Addr()); err != nil || asked {
		t.Errorf("got %v, asked itself: %t", err, asked)
	}
}

// A run ends with a message when an emulator has died: without it every answer would be a failure.
func TestRunEndsWithItsEmulators(t *testing.T) {
	t.Parallel()
	p := startProcess(t, loadedDir(t))
	p.waitUntilReady()
	children, err := exec.Command("pgrep", "-P", strconv.Itoa(p.cmd.Process.Pid)).Output()
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.Fields(string(children))[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := p.wait(); err == nil || !strings.Contains(p.stderr.String(), "has ended by itself") {
		t.Errorf("exits with %v: %s", err, p.stderr)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "env")); !os.IsNotExist(err) {
		t.Errorf("the file env stays: %v", err)
	}
}
