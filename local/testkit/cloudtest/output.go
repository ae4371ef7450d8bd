package cloudtest

import (
	"io"
	"sync"
	"testing"
)

// Output returns a writer to the test's output that drops what is written after the
// test. A call that was given up or a process that was killed may still write then, and
// the test's own writer would panic and end the package's other tests.
func Output(t testing.TB) io.Writer {
	o := &output{to: t.Output()}
	t.Cleanup(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.to = io.Discard
	})
	return o
}

type output struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer; it succeeds after the test, too.
func (o *output) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(line)
}
