package archtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// findUnlocked returns the packages of a lock file that npm takes from elsewhere than the registry, or whose content it
// does not check. Packages of the registry have no address (omit-lockfile-registry-resolved), so that npm asks the
// registry, or the mirror of it, that it is configured with.
func findUnlocked(content []byte) ([]string, error) {
	var lock struct {
		Packages map[string]struct {
			Resolved, Integrity string
			Link                bool
		}
	}
	if err := json.Unmarshal(content, &lock); err != nil {
		return nil, err
	}
	if len(lock.Packages) < 2 {
		return nil, fmt.Errorf("%d packages", len(lock.Packages))
	}
	delete(lock.Packages, "") // the folder itself
	var found []string
	for _, name := range slices.Sorted(maps.Keys(lock.Packages)) {
		p := lock.Packages[name]
		if p.Link || p.Resolved != "" || !strings.HasPrefix(p.Integrity, "sha512-") {
			found = append(found, name)
		}
	}
	return found, nil
}

// TestPackagesAreLocked fails for a package of npm that is not of the registry, or has no checksum.
func TestPackagesAreLocked(t *testing.T) {
	t.Parallel()
	files := findLockFiles(t)
	if len(files) < 6 {
		t.Fatalf("got the lock files %q", files)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found, err := findUnlocked(content)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %v, and not of the registry or without a checksum: %q", file, err, found)
		}
	}
}

// findLockFiles returns the lock files of npm in the repository, without those of installed packages.
func findLockFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../../..", func(name string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"node_modules", ".bin", ".git", "build", "cdk.out"}, entry.Name()):
			return filepath.SkipDir
		case entry.Name() == "package-lock.json":
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPlantedPackagesAreFound shows that [findUnlocked] finds each way to take a package from elsewhere.
func TestPlantedPackagesAreFound(t *testing.T) {
	t.Parallel()
	found, err := findUnlocked([]byte(`{"packages":{
		"":{"name":"local"},
		"node_modules/good":{"version":"1.0.0","integrity":"sha512-AAAA"},
		"node_modules/bare":{"version":"1.0.0"},
		"node_modules/git":{"resolved":"git+ssh://git@github.com/example/git.git#0123","integrity":"sha512-AAAA"},
		"node_modules/linked":{"resolved":"../linked","link":true},
		"node_modules/other":{"resolved":"https://packages.example.com/other.tgz","integrity":"sha512-AAAA"},
		"node_modules/weak":{"version":"1.0.0","integrity":"sha1-AAAA"}
	}}`))
	want := []string{
		"node_modules/bare", "node_modules/git", "node_modules/linked", "node_modules/other", "node_modules/weak",
	}
	if diff := cmp.Diff(want, found); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
