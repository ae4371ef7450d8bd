package system_test

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// buildPrograms builds the deployed programs for this machine, with the flags of the deployment, as
// make sam does. It returns the path of each by its function.
func buildPrograms(t testing.TB) (programs map[string]string) {
	t.Helper()
	mains, err := filepath.Glob("../../../functions/*/lambda")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	build := exec.Command("make", "--no-print-directory", "-C", "../../..", "-j2", "PROGRAMS="+folder)
	programs = map[string]string{}
	for _, main := range mains {
		function := filepath.Base(filepath.Dir(main))
		programs[function] = filepath.Join(folder, function, "bootstrap")
		build.Args = append(build.Args, programs[function])
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return programs
}

// Every event runs through its function's program, started as a process that asks
// Lambda's runtime API for events, with the environment of a deployment. Compiling the programs with the
// flags of the deployment takes a minute or more; TestEvents sends the same events to the handlers in this process.
func TestEventsThroughProcesses(t *testing.T) {
	t.Parallel()
	programs := buildPrograms(t)
	for _, f := range topology.Functions {
		if programs[f.Name] == "" {
			t.Errorf("there is no program of the function %s", f.Name)
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
				Binary: programs[function], Env: system.FunctionEnvironment(s.Host, function), Log: cloudtest.Output(t),
				Timeout: topology.FunctionNamed(function).Timeout, NewID: uuid.NewString,
			})
			must(t, err)
			defer r.Stop()
			return r.Invoke(t.Context(), payload)
		}
		return s
	})
}
