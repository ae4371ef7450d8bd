package cloudtest

import (
	"io"
	"sync"
	"testing"
)

// Output is a test's output for as long as the test runs. What is written later
// is dropped, where the test's own would panic and take the package's other tests
// along: a call that was given up, a process that was killed may have a last word.
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

// Write never fails for being late.
func (o *output) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(line)
}
