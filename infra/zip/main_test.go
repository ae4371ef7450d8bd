package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The same program always results in the same bytes, and can be run.
func TestPackIsReproducible(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "bootstrap")
	var packed [2][]byte
	for i := range packed {
		if err := os.WriteFile(program, []byte("program"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(program, time.Time{}, time.Now().Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(dir, "x.zip")
		if err := packProgram(target, program); err != nil {
			t.Fatal(err)
		}
		var err error
		packed[i], err = os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("two packings differ")
	}
	archive, err := zip.NewReader(bytes.NewReader(packed[0]), int64(len(packed[0])))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.File) != 1 || archive.File[0].Name != "bootstrap" || archive.File[0].Mode() != 0o755 {
		t.Errorf("got %v", archive.File)
	}
}
