package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const readerFolder = "../../shared/candidate/resume/pdf"

// The committed module is the one that this program makes of the version in go.mod, and it is trimmed: one that is not
// needs more than the 250 MB and 2.5 s that the first PDF file of a process may cost.
func TestModuleIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := prepareModule(filepath.Join(readerFolder, "exports.txt"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(readerFolder, "pdfium.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the module has %d bytes, and would have %d: run go generate ./shared/candidate/resume/pdf", len(got), len(want))
	}
	whole, err := readModule()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) > len(whole)*85/100 {
		t.Errorf("the module has %d bytes of %d, want at most 85 %%", len(got), len(whole))
	}
}
