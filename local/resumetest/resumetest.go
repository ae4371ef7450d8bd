// Package resumetest prepares tests that read PDF files.
//
// Compiling pdfium takes 2 s and 290 MB, but under the race detector 24 s and
// 1.7 GB. The compiled code is the same in both, and is kept in the temporary
// folder: a process without the detector can compile it for one with it.
package resumetest

import (
	"fmt"
	"os/exec"
)

// Warm compiles pdfium into the cache that test binaries share. Call it from
// TestMain of every package whose tests read PDF files; without the race
// detector it does nothing.
func Warm() error {
	if !Race {
		return nil
	}
	_, err := RunPlain("TestSandboxCompiles")
	return err
}

// RunPlain runs one test of package resume without the race detector and returns
// what it printed. It needs the go command.
//
// A test, and no program: wazero keeps the caches of test binaries and of other
// programs apart.
func RunPlain(test string) (output []byte, err error) {
	output, err = exec.Command("go", "test", "-race=false", "-count=1", "-v", "-run=^"+test+"$",
		"github.com/recruiting-marketplace/external-api/shared/candidate/resume").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s without the race detector: %w\n%s", test, err, output)
	}
	return output, err
}
