package submissions_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// uploadBytes in the environment makes the test binary upload a body of that
// size once, and tell what memory it took from the system.
const (
	uploadBytes = "UPLOAD_BYTES"
	uploadKind  = "UPLOAD_KIND"
	uploadKey   = "UPLOAD_KEY"
)

func TestMain(m *testing.M) {
	if size, err := strconv.Atoi(os.Getenv(uploadBytes)); err == nil {
		uploadOnce(size)
		return
	}
	os.Exit(m.Run())
}

// contents are base64 whose repetition is a file of a kind.
var contents = map[string]string{
	"pdf":     "JVBERi0xLjcK",
	"escaped": `JVBERi0xLjcK\n`,
	"text":    "QWRhIEV4YW1w",
	"latin":   "6enp6enp6eno", // Windows-1252, whose decoding is longer
}

// BenchmarkUploadMemory sends an upload of 12 MB, in a process of its own for
// each kind of file. "MB/MB" is the median of what the process's memory grew by for each MB of
// body, the body itself included; the limit is 5.
func BenchmarkUploadMemory(b *testing.B) {
	for kind := range contents {
		b.Run(kind, func(b *testing.B) {
			f := newTestService(b)
			var grown []int
			const small, large = 1 << 20, 12<<20 - 64
			for b.Loop() {
				grown = append(grown, f.memoryOf(kind, large)-f.memoryOf(kind, small))
			}
			slices.Sort(grown)
			b.ReportMetric(float64(grown[len(grown)/2])/(large-small), "MB/MB")
		})
	}
}

// memoryOf uploads in a child and answers the bytes that it took.
func (f *testService) memoryOf(kind string, size int) int {
	f.tb.Helper()
	child := exec.CommandContext(f.tb.Context(), os.Args[0])
	child.Env = append(os.Environ(), uploadKind+"="+kind, fmt.Sprint(uploadBytes, "=", size), uploadKey+"="+f.key, "KEY_ENVIRONMENTS=test")
	for name, value := range emulator.ForTest(f.tb, emulator.DynamoDB, emulator.SQS, emulator.S3).Env() {
		child.Env = append(child.Env, name+"="+value)
	}
	for name := range topology.FunctionNamed("submissions").Environment() {
		child.Env = append(child.Env, name+"="+f.host.Getenv(name))
	}
	child.Stderr = os.Stderr
	out, err := child.Output()
	f.must(err)
	taken, err := strconv.Atoi(strings.TrimSpace(string(out)))
	f.must(err)
	return taken
}

// uploadOnce is the child.
func uploadOnce(size int) {
	f := &testService{tb: fatal{}, key: os.Getenv(uploadKey)}
	f.host = cloud.NewHost(os.Getenv, time.Now, slog.New(slog.DiscardHandler))
	f.startService()
	f.postJSON("/resumes", uploadOf(os.Getenv(uploadKind), size))
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Println(stats.Sys)
}

// uploadOf builds the body in place, so that making it takes no more memory than
// having it.
func uploadOf(kind string, size int) string {
	const head, tail = `{"contentBase64":"`, `"}`
	var body strings.Builder
	body.Grow(size)
	body.WriteString(head)
	for unit := contents[kind]; body.Len()+len(unit)+len(tail) <= size; {
		body.WriteString(unit)
	}
	body.WriteString(tail)
	return body.String()
}

// fatal is a testing.TB for a process that is no test.
type fatal struct{ testing.TB }

func (fatal) Helper() {}

func (fatal) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (fatal) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (fatal) Context() context.Context { return context.Background() }
