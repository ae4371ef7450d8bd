package pdf

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// BenchmarkFirstDocument starts processes that read one PDF file: with and without the compilation cache.
func BenchmarkFirstDocument(b *testing.B) {
	for _, name := range []string{"cold", "cached"} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			for b.Loop() {
				if name == "cold" {
					dir = b.TempDir()
				}
				child := exec.Command(os.Args[0], "-test.run=^TestSandboxCompiles$")
				child.Env = append(os.Environ(), "TMPDIR="+dir)
				if out, err := child.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

// The compiled code lies in the cache after this test: see resumetest.Warm.
func TestSandboxCompiles(t *testing.T) {
	t.Parallel()
	if _, err := sandboxes(); err != nil {
		t.Fatal(err)
	}
}

var pdfiumFunction = regexp.MustCompile(`"(FPDF\w+|calloc|free)"`)

// The module keeps the functions that the package calls: exports.txt lists them, and pdfium exports them.
func TestCalledFunctionsAreKept(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("exports.txt")
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := sandboxes()
	if err != nil {
		t.Fatal(err)
	}
	kept := strings.Fields(string(list))
	called := make(map[string]bool)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pdfiumFunction.FindAllStringSubmatch(string(source), -1) {
			called[m[1]] = true
		}
	}
	if len(called) < 20 {
		t.Fatalf("only %d calls of pdfium were found", len(called))
	}
	for name := range called {
		if compiled.module.ExportedFunctions()[name] == nil || !slices.Contains(kept, name) {
			t.Errorf("%s is called, and not in exports.txt or not exported", name)
		}
	}
}
