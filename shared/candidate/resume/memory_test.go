package resume

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

const (
	childVariable = "RESUME_TEST_READS_HOSTILE_FILES"
	maxSeconds    = 10
	maxMemory     = 350 << 20
)

// TestMain makes the test binary its own child, so that the memory of a process that reads every hostile file is measured.
func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
	case "growth":
		measureGrowth()
		return
	default:
		readHostileFiles()
		return
	}
	if err := resumetest.Warm(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// outcome is what the child reports of one file, a JSON object a line.
type outcome struct {
	Name    string
	Kind    document.Kind // "" = it was read
	Fault   string
	Seconds float64 // of processor time, so that a loaded machine judges as an idle one does
	Good    bool    // a good file was read right after it
	Peak    int64
}

// hostileFiles yields one group after the other, so that the files themselves take little of the memory measured.
func hostileFiles(yield func(hostile) bool) {
	for _, group := range []func() []hostile{hostilePDFs, hostileDOCXs, hostileOthers} {
		for _, h := range group() {
			if !yield(h) {
				return
			}
		}
	}
}

func readHostileFiles() {
	out := json.NewEncoder(os.Stdout)
	good := readSample("maya-okafor.libreoffice.pdf")
	_, _ = Read(context.Background(), good) // compiles the sandbox: memory that counts, time that a process spends once
	for h := range hostileFiles {
		start := processorTime()
		doc, err := Read(context.Background(), h.content)
		Extract(doc, asOf)
		o := outcome{Name: h.name, Seconds: (processorTime() - start).Seconds()}
		var f *document.Failure
		if errors.As(err, &f) {
			o.Kind = f.Kind
		} else if err != nil {
			o.Fault = err.Error()
		}
		doc, err = Read(context.Background(), good)
		o.Good = err == nil && Extract(doc, asOf).Name == "Maya Okafor"
		var usage syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		o.Peak = usage.Maxrss
		_ = out.Encode(o)
	}
}

func TestHostileFilesEndTypedInTimeAndMemory(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "shared/candidate/resume") {
		return
	}
	wants := make(map[string]document.Kind)
	for h := range hostileFiles {
		wants[h.name] = h.want
	}
	read, usage := runChild(t, func(o outcome) {
		t.Logf("%-50s %-15s %6.2f s, peak %d MB", o.Name, o.Kind, o.Seconds, o.Peak*maxrssUnit()>>20)
		checkOutcome(t, wants[o.Name], o)
	}, childVariable+"=1", "TMPDIR="+t.TempDir()) // without a compilation cache: the most expensive start
	if read != len(wants) {
		t.Errorf("%d of %d files were read", read, len(wants))
	}
	if peak := usage.Maxrss * maxrssUnit(); peak > maxMemory {
		t.Errorf("peak memory is %d MB, want at most %d MB", peak>>20, maxMemory>>20)
	}
}

// runChild runs this test binary with further variables in its environment, and calls check
// with each line of its output. It returns the number of lines and the resources that the
// child used.
func runChild[T any](t *testing.T, check func(T), variables ...string) (lines int, usage *syscall.Rusage) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), variables...)
	child.Stderr = os.Stderr
	pipe, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for scanner := bufio.NewScanner(pipe); scanner.Scan(); lines++ {
		var line T
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			t.Fatalf("the child says %q: %v", scanner.Text(), err)
		}
		check(line)
	}
	if err := child.Wait(); err != nil {
		t.Fatalf("the child died after %d files: %v", lines, err)
	}
	return lines, child.ProcessState.SysUsage().(*syscall.Rusage)
}

func checkOutcome(t *testing.T, want document.Kind, o outcome) {
	t.Helper()
	if o.Fault != "" {
		t.Errorf("%s: error without a type: %s", o.Name, o.Fault)
	}
	if want != anyKind && o.Kind != want {
		t.Errorf("%s: kind %q, want %q", o.Name, o.Kind, want)
	}
	if o.Seconds > maxSeconds {
		t.Errorf("%s took %.1f s, want at most %d", o.Name, o.Seconds, maxSeconds)
	}
	if !o.Good {
		t.Errorf("%s: a good file could not be read right after it", o.Name)
	}
}

// processorTime is what this process has used of all cores.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// maxrssUnit is the number of bytes that Maxrss counts in.
func maxrssUnit() int64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}

func readSample(name string) []byte {
	content, err := resumes.Files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return content
}
