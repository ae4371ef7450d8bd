package resume

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

// The limits of processor time for an adversary's file, several times what it takes.
// Quadratic work would take sixteen times as long for four times the input.
const (
	readBase    = 8.0  // seconds of any file; a PDF of one long word takes 2.0 to 3.4
	readPerMB   = 0.75 // seconds of one more MB; formats other than PDF take at most 0.15
	maxGrowth   = 9    // times the work for four times the input
	minCompared = 0.05 // seconds that are not compared
	maxExtract  = 2.5  // seconds of any document; the slowest known takes 1.0
)

// growth is what a child process measures for one adversary.
type growth struct {
	Name           string
	Megabytes      float64 // of the larger file
	Small, Large   float64 // seconds of processor time to read n and 4n bytes
	Extract        float64 // seconds of processor time to extract the fields of the larger file
	Fault          string
	Goroutines     int // after the files
	GoroutinesThen int // before the first file
}

// measureGrowth reads each adversary's file in two sizes: a quarter of the largest and a sixteenth, or with more draws
// (DRAWS) the largest and a quarter. It is linear from a few kilobytes on, so that the smaller sizes show the same.
func measureGrowth() {
	share := 16
	if os.Getenv("DRAWS") != "" {
		share = 4
	}
	out := json.NewEncoder(os.Stdout)
	_, _ = Read(context.Background(), readSample("maya-okafor.libreoffice.pdf")) // compiles the sandbox
	before := waitUntilSettled()
	for _, a := range adversaries() {
		n := largest[a.of] / share
		g := growth{Name: a.name, Megabytes: float64(4*n) / (1 << 20), GoroutinesThen: before}
		_, small, smallErr := timeRead(a.make(n))
		doc, large, largeErr := timeRead(a.make(4 * n))
		g.Small = small
		g.Large = large
		if err := errors.Join(smallErr, largeErr); err != nil {
			g.Fault = err.Error()
		} else {
			start := processorTime()
			Extract(doc, asOf)
			g.Extract = (processorTime() - start).Seconds()
		}
		g.Goroutines = countGoroutines(before)
		_ = out.Encode(g)
	}
}

// timeRead reads a file and returns its document, the processor time in seconds, and an error
// that is no *Failure.
func timeRead(content []byte) (document.Document, float64, error) {
	start := processorTime()
	doc, err := Read(context.Background(), content)
	took := (processorTime() - start).Seconds()
	if failure := (*document.Failure)(nil); errors.As(err, &failure) {
		err = nil
	}
	return doc, took, err
}

// Reading is linear in its input for every adversary, and leaves nothing running.
func TestReadingIsLinear(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "shared/candidate/resume") {
		return
	}
	read, _ := runChild(t, func(g growth) {
		t.Logf("%-60s read %.2f and %.2f s, extract %.2f s", g.Name, g.Small, g.Large, g.Extract)
		checkGrowth(t, g)
	}, childVariable+"=growth")
	if want := len(adversaries()); read != want {
		t.Errorf("%d of %d files were read", read, want)
	}
}

func checkGrowth(t *testing.T, g growth) {
	t.Helper()
	if g.Fault != "" {
		t.Errorf("%s: error without a type: %s", g.Name, g.Fault)
	}
	if limit := maxGrowth * max(g.Small, minCompared); g.Large > limit {
		t.Errorf("%s: four times the input took %.2f s, want at most %d times %.2f s", g.Name, g.Large, maxGrowth, g.Small)
	}
	if limit := readBase + readPerMB*g.Megabytes; g.Large > limit {
		t.Errorf("%s: %.1f MB took %.2f s, want at most %.2f s", g.Name, g.Megabytes, g.Large, limit)
	}
	if g.Extract > maxExtract {
		t.Errorf("%s: the fields took %.2f s, want at most %.1f s", g.Name, g.Extract, maxExtract)
	}
	if g.Goroutines > g.GoroutinesThen {
		t.Errorf("%s: %d goroutines are left of the reading", g.Name, g.Goroutines-g.GoroutinesThen)
	}
}

// waitUntilSettled waits until no goroutine begins or ends for a second, and returns their number.
func waitUntilSettled() int {
	for n := 0; ; time.Sleep(time.Second) {
		before := n
		n = runtime.NumGoroutine()
		if n == before {
			return n
		}
	}
}

// countGoroutines waits up to a minute until at most want goroutines are left, and returns
// their number.
func countGoroutines(want int) (n int) {
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		n = runtime.NumGoroutine()
		if n <= want {
			return n
		}
		time.Sleep(time.Millisecond)
	}
	return n
}
