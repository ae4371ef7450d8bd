package pdf

import (
	"os"
	"os/exec"
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
