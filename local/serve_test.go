package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be listened on or written is named in few words.
func TestSettingsOfARunAreRefusedInShortWords(t *testing.T) {
	t.Parallel()
	listener, err := listenOn("0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	_, taken, _ := strings.Cut(listener.Addr().String(), ":")
	for port, want := range map[string]string{
		taken:    "port " + taken + " is taken, perhaps by another run; choose another one, for example: make run PORT=8081",
		"80000":  "PORT=80000 is no port, which is a number up to 65535; for example: make run PORT=8081",
		"-1":     "PORT=-1 is no port, which is a number up to 65535; for example: make run PORT=8081",
		"no one": "PORT=no one is no port, which is a number up to 65535; for example: make run PORT=8081",
	} {
		if _, err := listenOn(port); err == nil || err.Error() != want {
			t.Errorf("PORT=%s: got %v, want %s", port, err, want)
		}
	}

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openDir(file); err == nil || !strings.HasPrefix(err.Error(), "DATA_DIR="+file+" cannot be written (") {
		t.Errorf("a file as DATA_DIR: got %v", err)
	}
}

// TestDirectoryOfTheStateBeginsEmpty fails if the file that checks for disk space stays in the directory.
func TestDirectoryOfTheStateBeginsEmpty(t *testing.T) {
	t.Parallel()
	dir, err := openDir(filepath.Join(t.TempDir(), "new"))
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v", left, err)
	}
}
