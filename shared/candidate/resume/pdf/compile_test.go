package pdf

import (
	"errors"
	"sync"
	"testing"
)

// An error is not kept, and pdfium is compiled once however many documents wait for it.
func TestCompilingIsRepeatedAfterAnError(t *testing.T) {
	t.Parallel()
	errNoMemory := errors.New("out of memory")
	compiled := new(compiledPDFium)
	calls := 0
	get := keepSuccess(func() (*compiledPDFium, error) {
		calls++
		if calls == 1 {
			return nil, errNoMemory
		}
		return compiled, nil
	})
	if _, err := get(); !errors.Is(err, errNoMemory) {
		t.Errorf("the first call ends with %v, want %v", err, errNoMemory)
	}
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			if got, err := get(); got != compiled || err != nil {
				t.Errorf("a later call returns %v, %v, want the compiled module", got, err)
			}
		})
	}
	callers.Wait()
	if calls != 2 {
		t.Errorf("it was compiled %d times, want twice", calls)
	}
}
