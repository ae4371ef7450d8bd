package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// packageRun is what the test binary of one package has reported.
type packageRun struct {
	tests  map[string]*testRun
	output []outputLine
	// passed is the number of tests that passed, without those that have tests inside; failed names all that failed, in their order.
	passed int
	failed []string
}

// testRun is one test, or a test inside a test.
type testRun struct {
	// state is the last action: run, pause, cont, pass, fail or skip.
	state       string
	hasSubtests bool
}

// outputLine is a line of output with the test that go test takes it for; test is empty if it takes it for none.
type outputLine struct{ test, text string }

// failure is a test that failed, or what made the test binary fail.
type failure struct{ test, text string }

// String returns the failure in one line.
func (f failure) String() string {
	if f.test == "" {
		return f.text
	}
	return fmt.Sprintf("%s: %s", f.test, f.text)
}

func newPackageRun() *packageRun { return &packageRun{tests: map[string]*testRun{}} }

func (p *packageRun) add(e event) {
	switch e.Action {
	case "output":
		p.output = append(p.output, outputLine{e.Test, e.Output})
	case "run":
		p.tests[e.Test] = &testRun{state: e.Action}
		if i := strings.LastIndexByte(e.Test, '/'); i > 0 && p.tests[e.Test[:i]] != nil {
			p.tests[e.Test[:i]].hasSubtests = true
		}
	case "pause", "cont", "pass", "fail", "skip":
		p.setState(e)
	}
}

// setState enters that a test paused, continued or ended.
func (p *packageRun) setState(e event) {
	t := p.tests[e.Test]
	if t == nil {
		return
	}
	t.state = e.Action
	switch {
	case t.state == "fail":
		p.failed = append(p.failed, e.Test)
	case t.state == "pass" && !t.hasSubtests:
		p.passed++
	}
}

// printResult prints the line that ends the output of a package that passed.
func (p *packageRun) printResult(out io.Writer) {
	for _, l := range p.output {
		if l.test == "" && strings.HasPrefix(l.text, "ok ") {
			_, _ = io.WriteString(out, l.text)
		}
	}
}

// logLine matches what t.Log writes, and the following lines of a text of several.
var logLine = regexp.MustCompile(`^ {4}[^ ]+\.go:\d+: |^ {8}`)

// printFailed prints what go test prints of a package that failed: all output except what passing tests log. Other output of passing
// tests stays, because a report of the race detector is taken for that of any test that runs.
func (p *packageRun) printFailed(out io.Writer) {
	for _, l := range p.output {
		isQuiet := p.tests[l.test] != nil && slices.Contains([]string{"pass", "skip"}, p.tests[l.test].state)
		if hasPrefix(strings.TrimLeft(l.text, " "), "=== ", "--- PASS", "--- SKIP") || isQuiet && logLine.MatchString(l.text) {
			continue
		}
		_, _ = io.WriteString(out, l.text)
	}
}

// findFailures returns the tests that failed, the innermost of those inside each other, each with its first line, and what ended the
// test binary early, with the tests that were running.
func (p *packageRun) findFailures() []failure {
	var failures []failure
	for _, name := range p.failed {
		if !slices.ContainsFunc(p.failed, func(other string) bool { return strings.HasPrefix(other, name+"/") }) {
			failures = append(failures, failure{name, p.findFirstLine(name)})
		}
	}
	crash := p.findCrash()
	running := p.listRunning()
	switch {
	case len(failures) == 0 || running != "":
		return append(failures, failure{running, cmp.Or(crash, p.findFirstLine(""), "ended without a message")})
	case crash != "": // a panic is printed after its test is reported to have failed
		failures[len(failures)-1].text = crash
	}
	return failures
}

// reportLine matches what a test reports of itself, in contrast to what the code under test logs to it.
var reportLine = regexp.MustCompile(`^ +[^ ]+_test\.go:\d+: `)

// findFirstLine returns the first line that a test reports, or else the first of its output, or of the output
// that belongs to none, and "" if there is none.
func (p *packageRun) findFirstLine(test string) string {
	first := ""
	for _, l := range p.output {
		if l.test != test || hasPrefix(l.text, "=== ", "--- ", "FAIL", "exit status ", "-test.shuffle ") {
			continue
		}
		text := strings.TrimSpace(l.text)
		if reportLine.MatchString(l.text) {
			return text
		}
		first = cmp.Or(first, text)
	}
	return first
}

// findCrash returns the line that says why the test binary ended early, and "" if none does.
func (p *packageRun) findCrash() string {
	for _, l := range p.output {
		if hasPrefix(l.text, "panic: ", "fatal error: ", "signal: ", "*** Test killed") {
			return strings.TrimSpace(l.text)
		}
	}
	return ""
}

// listRunning names at most three tests that ran when the output ended.
func (p *packageRun) listRunning() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p.tests)) {
		if t := p.tests[name]; !t.hasSubtests && (t.state == "run" || t.state == "cont") {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("and %d more", len(names)-3))
	}
	return strings.Join(names, ", ")
}

func hasPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}
