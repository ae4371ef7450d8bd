package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// After a record that could not be written, as on a full disk, nothing follows what is there of it, and the next run can read the file.
func TestNothingFollowsAFailedRecord(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	j, err := openJournal(path, "http://api.example", "key")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writable := j.file
	j.file, err = os.Open(path) // every write fails
	if err != nil {
		t.Fatal(err)
	}
	if err := j.append(record{Refused: "a"}); err == nil {
		t.Error("a record that was not written is no error")
	}
	_ = j.file.Close()
	j.file = writable
	if err := j.append(record{Refused: "b"}); err == nil || !strings.Contains(err.Error(), "bad file descriptor") {
		t.Errorf("another record after the failure: %v", err)
	}
	j.close()
	if left, err := os.ReadFile(path); err != nil || string(left) != string(whole) {
		t.Errorf("the file has %q, %v; want %q", left, err, whole)
	}
}
