package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestActionsArePinned fails for an action of a workflow that is not named by its commit: a tag can be moved to
// other code, which would run with the rights of the workflow.
func TestActionsArePinned(t *testing.T) {
	t.Parallel()
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(\S+)`)
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	files, err := filepath.Glob("../../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range uses.FindAllStringSubmatch(string(content), -1) {
			if action := use[1]; !pinned.MatchString(action) && action[0] != '.' {
				t.Errorf("%s: %s is not named by its commit", filepath.Base(file), action)
			}
		}
	}
}
