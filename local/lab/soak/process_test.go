package soak

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// program is the file of the command local, which TestMain builds.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "soak-program-")
	if err != nil {
		log.Fatal(err)
	}
	program = filepath.Join(dir, "local")
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		log.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"BASE_URL", "AGENCY_KEY", "RECRUITER_KEY"} { // of a shell that has run ". .local/env"
		_ = os.Unsetenv(name)
	}
	if err := resumetest.Warm(); err != nil {
		log.Fatal(err)
	}
	code := conform.Run(m.Run)
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running `local`.
type process struct {
	t      testing.TB
	cmd    *exec.Cmd
	dir    string
	stderr *bytes.Buffer // to be read after the process has ended
	ended  chan struct{} // closed when it has
	cause  error         // of its end, to be read after that
}

// startProcess starts `local` with its state in dir, on a free port, and returns at once.
func startProcess(t testing.TB, dir string, settings ...string) *process {
	t.Helper()
	p := &process{t: t, dir: dir, stderr: &bytes.Buffer{}, ended: make(chan struct{})}
	if err := os.Remove(filepath.Join(dir, "env")); err != nil && !os.IsNotExist(err) { // of a process that was killed
		t.Fatal(err)
	}
	p.cmd = exec.Command(program)
	p.cmd.Env = append(os.Environ(), "PORT=0", "DATA_DIR="+dir)
	p.cmd.Env = append(p.cmd.Env, settings...)
	p.cmd.Stderr = io.MultiWriter(openLog(t, dir), p.stderr)
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
		env, err := p.readEnv()
		if err == nil {
			return env
		}
		select {
		case <-p.ended:
			p.t.Fatalf("the system ended while starting: %v\n%s", p.cause, p.stderr)
		case <-limit:
			p.t.Fatalf("the system did not come up: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// readEnv returns the file env of a system that answers.
func (p *process) readEnv() (map[string]string, error) {
	env, err := envfile.Read(filepath.Join(p.dir, "env"))
	if err != nil {
		return nil, err
	}
	probe := client.New(env["BASE_URL"], "", client.WithAttempts(1), client.WithHTTPClient(&http.Client{Timeout: 5 * time.Second}))
	if _, err := probe.Health(p.t.Context()); err != nil {
		return nil, fmt.Errorf("health: %w", err)
	}
	return env, nil
}

// kill ends the process without notice, as a power cut would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// interrupt ends the process as Ctrl-C does.
func (p *process) interrupt() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	<-p.ended
	if p.cause != nil {
		p.t.Errorf("Ctrl-C: %v; want a clean stop", p.cause)
	}
}
