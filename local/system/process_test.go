package system_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/lambda"
	"github.com/recruiting-marketplace/external-api/local/system"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// buildPrograms is a directory of the deployed programs, built for this machine with the
// flags of the deployment.
func buildPrograms(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	mains, err := filepath.Glob("../../functions/*/lambda")
	if err != nil {
		t.Fatal(err)
	}
	for _, main := range mains {
		function := filepath.Base(filepath.Dir(main))
		build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc,nethttpomithttp2", "-ldflags=-s -w -buildid=",
			"-o", filepath.Join(dir, function), "./"+main)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", function, err, out)
		}
	}
	return dir
}

// Every event runs through its function's program, started as a process that asks
// Lambda's runtime API for events, with the environment of a deployment.
func TestEventsThroughProcesses(t *testing.T) {
	t.Parallel()
	dir := buildPrograms(t)
	for _, f := range topology.Functions {
		if _, err := os.Stat(filepath.Join(dir, f.Name)); err != nil {
			t.Errorf("no program of the function %s: %v", f.Name, err)
		}
	}
	runEachEvent(t, func(t *testing.T) *eventFixture {
		s := &eventFixture{manualSystem: newManualSystem(t)}
		s.frozen.Store(nil) // a process has the real clock; what waits has waited long enough
		s.advanceClock(-submission.DefaultResend - time.Minute)
		s.createContent(t)
		s.advanceClock(submission.DefaultResend + time.Minute)
		s.process = func(function string, payload []byte) ([]byte, error) {
			r, err := lambda.StartRuntime(lambda.RuntimeOptions{
				Binary: filepath.Join(dir, function), Env: system.FunctionEnvironment(s.Host, function), Log: cloudtest.Output(t),
				Timeout: topology.FunctionNamed(function).Timeout(), NewID: uuid.NewString,
			})
			must(t, err)
			defer r.Stop()
			return r.Invoke(t.Context(), payload)
		}
		return s
	})
}
