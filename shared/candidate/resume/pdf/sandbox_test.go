package pdf

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "github.com/klippa-app/go-pdfium/enums" // keeps the version of pdfium.wasm in go.mod
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

// The embedded module is the one that go generate has made of the version in go.mod: pdfium.sum has its version and its hash.
func TestModuleHasItsHash(t *testing.T) {
	t.Parallel()
	sum, err := os.ReadFile("pdfium.sum")
	if err != nil {
		t.Fatal(err)
	}
	version, hash, _ := strings.Cut(strings.TrimSpace(string(sum)), " sha256:")
	if got := fmt.Sprintf("%x", sha256.Sum256(pdfiumModule)); got != hash {
		t.Errorf("pdfium.wasm has the hash %s, pdfium.sum %s: run make generate", got, hash)
	}
	requires, err := os.ReadFile("../../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(requires), "\t"+version+"\n") {
		t.Errorf("the module is made of %s, go.mod requires another version: run make generate", version)
	}
}

// pdfiumCall matches a call of a function of pdfium.
var pdfiumCall = regexp.MustCompile(`(?:call|callForNumbers|hasProperty)\("(\w+)"`)

// runtimeExports are for the runtime: to start an instance, and for setjmp of the C library.
var runtimeExports = []string{"_initialize", "setThrew", "_emscripten_stack_restore", "_emscripten_stack_alloc", "emscripten_stack_get_current"}

// The module keeps for the package the functions that it calls and no others: exports.txt lists them, and pdfium exports them.
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
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var called []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pdfiumCall.FindAllStringSubmatch(string(source), -1) {
			called = append(called, m[1])
		}
	}
	slices.Sort(called)
	called = slices.Compact(called)
	kept := slices.DeleteFunc(strings.Fields(string(list)), func(name string) bool { return slices.Contains(runtimeExports, name) })
	slices.Sort(kept)
	if diff := cmp.Diff(kept, called); diff != "" {
		t.Errorf("functions of pdfium (-in exports.txt +called):\n%s", diff)
	}
	for _, name := range called {
		if compiled.module.ExportedFunctions()[name] == nil {
			t.Errorf("%s is called, and pdfium does not export it", name)
		}
	}
}
