package pdf

import (
	"os"
	"path/filepath"
	"testing"
)

// What is in a folder that another user made, or may write to, is never executed.
func TestOnlyAnOwnFolderIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	for range 2 {
		if !makePrivateFolder(dir) {
			t.Fatal("a folder of this user is not private")
		}
	}
	if err := os.Chmod(dir, 0o770); err != nil {
		t.Fatal(err)
	}
	if makePrivateFolder(dir) {
		t.Error("a folder to which a group may write is private")
	}
	others := "/" // of root
	if os.Getuid() == 0 {
		others = filepath.Join(t.TempDir(), "others")
		if err := os.Mkdir(others, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(others, 12345, -1); err != nil {
			t.Fatal(err)
		}
	}
	if makePrivateFolder(others) {
		t.Errorf("%s, another user's, is private", others)
	}
}
