//go:build unix && !solaris && !aix

package client

import (
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
