package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSummary reports recorded runs of go test -json, one package each. The last lines are compared.
func TestSummary(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ stream, want string }{
		{"good", "the tests took 90 s\n1 passed, 0 failed\n"},
		{"bad", `1 of 1 packages failed:
  example.com/module/bad
    TestAlsoFails: a_test.go:5: second
    TestFails/inner: a_test.go:4: got 1, want 2
the tests took 90 s
2 passed, 2 failed
`},
		{"panics", `1 of 1 packages failed:
  example.com/module/panics
    TestPanics/deep: panic: assignment to entry in nil map [recovered, repanicked]
the tests took 90 s
1 passed, 1 failed
`},
		{"build", `1 of 1 packages failed:
  example.com/module/build
    build/a_test.go:3:38: declared and not used: x
the tests took 90 s
0 passed, 1 failed
`},
		{"vetfail", `1 of 1 packages failed:
  example.com/module/vetfail
    vetfail/a_test.go:3:40: (*testing.common).Errorf format %d has arg "a" of wrong type string
the tests took 90 s
0 passed, 1 failed
`},
		{"timeout", `1 of 1 packages failed:
  example.com/module/timeout
    TestHangs: panic: test timed out after 2s
the tests took 90 s
0 passed, 1 failed
`},
		{"killed", `1 of 1 packages failed:
  example.com/module/killed
    TestDies: signal: killed
the tests took 90 s
0 passed, 1 failed
`},
		{"mainexit", `1 of 1 packages failed:
  example.com/module/mainexit
    no emulator: connection refused
the tests took 90 s
0 passed, 1 failed
`},
		{"notests", "1 of 1 packages did not end\nthe tests took 90 s\n0 passed, 0 failed\n"},
	} {
		t.Run(test.stream, func(t *testing.T) {
			t.Parallel()
			if got := printReport(t, 1, readStream(t, test.stream)); !strings.HasSuffix("\n"+got, "\n"+test.want) {
				t.Errorf("got\n%s\nwant at the end\n%s", got, test.want)
			}
		})
	}
}

// TestPackagesAreReportedAsTheyEnd fails unless the output of a run is that of go test without -json, in the order in which
// packages end.
func TestPackagesAreReportedAsTheyEnd(t *testing.T) {
	t.Parallel()
	begun := `{"Action":"start","Package":"example.com/module/slow"}` + "\n"
	out := printReport(t, 3, begun+"go: a line that is no event\n"+readStream(t, "bad")+readStream(t, "notests")+readStream(t, "good"))
	got, _, _ := strings.Cut(out, "\n\n")
	want := "go: a line that is no event\n" + `    a_test.go:5: second
--- FAIL: TestAlsoFails (0.00s)
    a_test.go:4: got 1, want 2
        -1
        +2
--- FAIL: TestFails/inner (0.00s)
--- FAIL: TestFails (0.00s)
FAIL
FAIL	example.com/module/bad	0.025s
ok  	example.com/module/good	0.003s`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want := "\n1 of 3 packages did not end\nthe tests took 90 s\n3 passed, 2 failed\n"; !strings.HasSuffix(out, want) {
		t.Errorf("got %q, want at the end %q", out, want)
	}
}

// TestRaceIsPrinted fails if the report of the race detector is lost with the log of the passing test that go test takes it for.
func TestRaceIsPrinted(t *testing.T) {
	t.Parallel()
	race := "==================\nWARNING: DATA RACE\nRead at 0x01 by goroutine 7:\n  main.f()\n      /module/f.go:12\n=====\n"
	p := newPackageRun()
	p.add(event{Action: "run", Test: "TestPasses"})
	log := "=== RUN   TestPasses\n    f_test.go:3: a text\n        of two lines\n"
	for line := range strings.Lines(log + race + "--- PASS: TestPasses (0.00s)\n") {
		p.add(event{Action: "output", Test: "TestPasses", Output: line})
	}
	p.add(event{Action: "pass", Test: "TestPasses"})
	var out bytes.Buffer
	p.printFailed(&out)
	if diff := cmp.Diff(race, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestProgress fails unless the progress counts what has ended, and names what runs.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReport(&out, 7)
	for line := range strings.Lines(readStream(t, "good") + readStream(t, "panics")) {
		if strings.Contains(line, `"Action":"fail"`) && !strings.Contains(line, "Test") {
			break // the end of the package that panics
		}
		r.addLine([]byte(line))
	}
	out.Reset()
	r.printProgress(125 * time.Second)
	if want := "… 125 s: 1 of 7 packages have ended, 2 tests passed; running: example.com/module/panics\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// TestRunningTestsAreNamed fails unless at most three of the tests that ran when their binary ended are named.
func TestRunningTestsAreNamed(t *testing.T) {
	t.Parallel()
	p := newPackageRun()
	for _, name := range []string{"TestA", "TestB", "TestC", "TestD", "TestD/inside", "TestE", "TestF"} {
		p.add(event{Action: "run", Test: name})
	}
	p.add(event{Action: "pause", Test: "TestA"})
	p.add(event{Action: "pass", Test: "TestB"})
	if got, want := p.listRunning(), "TestC, TestD/inside, TestE, and 1 more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFollow fails unless every tick and line is reported, and a failure to read is returned.
func TestFollow(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	in, feed := io.Pipe()
	ticks := make(chan time.Time)
	go func() {
		_, _ = io.WriteString(feed, readStream(t, "good"))
		ticks <- time.Time{}
		_ = feed.CloseWithError(iotest.ErrTimeout)
	}()
	err := newReport(&out, 1).follow(in, ticks, func() time.Duration { return time.Minute })
	if !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("got %v, want %v", err, iotest.ErrTimeout)
	}
	if !strings.Contains(out.String(), "… 60 s: ") || !strings.HasSuffix(out.String(), "\n1 passed, 0 failed\n") {
		t.Errorf("got %q", out.String())
	}
}

func printReport(t *testing.T, packages int, events string) string {
	t.Helper()
	var out bytes.Buffer
	elapsed := func() time.Duration { return 90 * time.Second }
	if err := newReport(&out, packages).follow(strings.NewReader(events), nil, elapsed); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// readStream returns a run that was recorded with go test -json.
func readStream(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
