//go:build unix && !solaris && !aix

package client

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A program that is started at the same time has the open files of this process until it runs, and
// does not keep a closed journal locked.
func TestAClosedJournalIsFreeBesideAStartingProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	for range 2 {
		j, err := openJournal(path, "http://api.example", "key")
		if err != nil {
			t.Fatal(err)
		}
		copied, err := syscall.Dup(int(j.file.Fd())) // as fork does
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Close(copied) }()
		j.close()
	}
}

// A journal that could not be opened does not stay locked: the next call can use it.
func TestAJournalThatFailsToOpenIsFree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a/b", "journals"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a/b", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	// The system finds this file; as text, the path is in a directory that does not exist.
	if j, err := openJournal(dir+"/link/../../journals/journal", "http://api.example", "key"); err == nil {
		j.close()
		t.Fatal("the directory was found")
	}
	j, err := openJournal(filepath.Join(dir, "journals", "journal"), "http://api.example", "key")
	if err != nil {
		t.Fatal(err)
	}
	j.close()
}
