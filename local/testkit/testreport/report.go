package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// event is one line of go test -json; `go doc test2json` describes the fields.
type event struct {
	Action, Package, Test, Output string
	// ImportPath is set instead of Package while packages are built, FailedBuild if such a build made a package fail.
	ImportPath, FailedBuild string
}

// report collects the events of one run and prints it.
type report struct {
	out   io.Writer
	total int
	// running has the packages whose tests have begun and not ended.
	running map[string]*packageRun
	// builds has the first message of every build that failed.
	builds        map[string]string
	ended, passed int
	failed        []failedPackage
}

// failedPackage is a package that failed, with at least one failure.
type failedPackage struct {
	name     string
	failures []failure
}

// newReport returns the report of a run of so many packages.
func newReport(out io.Writer, packages int) *report {
	return &report{out: out, total: packages, running: map[string]*packageRun{}, builds: map[string]string{}}
}

// addLine reports one line of go test -json; a line that is no event is printed as it is.
func (r *report) addLine(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		_, _ = r.out.Write(line)
		return
	}
	switch {
	case e.Action == "build-output":
		r.addBuildOutput(e)
	case e.Package == "":
	case e.Test == "" && slices.Contains([]string{"pass", "fail", "skip"}, e.Action):
		r.endPackage(e)
	default:
		r.packageOf(e).add(e)
	}
}

func (r *report) addBuildOutput(e event) {
	_, _ = io.WriteString(r.out, e.Output)
	if r.builds[e.ImportPath] == "" && !strings.HasPrefix(e.Output, "#") {
		r.builds[e.ImportPath] = strings.TrimSpace(e.Output)
	}
}

func (r *report) packageOf(e event) *packageRun {
	if r.running[e.Package] == nil {
		r.running[e.Package] = newPackageRun()
	}
	return r.running[e.Package]
}

// endPackage prints a package as go test does, without those that have no tests.
func (r *report) endPackage(e event) {
	p := r.packageOf(e)
	delete(r.running, e.Package)
	if e.Action == "skip" {
		return
	}
	r.ended++
	r.passed += p.passed
	if e.Action == "pass" {
		p.printResult(r.out)
		return
	}
	p.printFailed(r.out)
	failures := p.findFailures()
	if e.FailedBuild != "" {
		failures = []failure{{text: r.builds[e.FailedBuild]}}
	}
	r.failed = append(r.failed, failedPackage{e.Package, failures})
}

// printProgress prints how many packages and tests have ended.
func (r *report) printProgress(elapsed time.Duration) {
	tests := r.passed
	for _, p := range r.running {
		tests += p.passed
	}
	running := strings.Join(slices.Sorted(maps.Keys(r.running)), ", ")
	_, _ = fmt.Fprintf(r.out, "… %.0f s: %d of %d packages have ended, %d tests passed; running: %s\n",
		elapsed.Seconds(), r.ended, r.total, tests, running)
}

// printSummary prints what failed, what did not end, how long it took, and the numbers.
func (r *report) printSummary(elapsed time.Duration) {
	failures := 0
	if len(r.failed) > 0 {
		_, _ = fmt.Fprintf(r.out, "\n%d of %d packages failed:\n", len(r.failed), r.total)
	}
	for _, p := range r.failed {
		_, _ = fmt.Fprintf(r.out, "  %s\n", p.name)
		for _, f := range p.failures {
			_, _ = fmt.Fprintf(r.out, "    %s\n", f)
		}
		failures += len(p.failures)
	}
	if r.ended < r.total {
		_, _ = fmt.Fprintf(r.out, "%d of %d packages did not end\n", r.total-r.ended, r.total)
	}
	_, _ = fmt.Fprintf(r.out, "the tests took %.0f s\n%d passed, %d failed\n", elapsed.Seconds(), r.passed, failures)
}
