package archtest

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	pathInDocument = regexp.MustCompile("`((?:functions|shared|local|infra|events|docs)/[A-Za-z0-9_./-]*[A-Za-z0-9_])`")
	linkInDocument = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// TestDocumentsNameWhatExists fails for a path or a relative link in the
// project's Markdown files that leads nowhere.
func TestDocumentsNameWhatExists(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../../..")
	checked := 0
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isSkipped(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		content, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(content), "\n") {
			var targets []string
			for _, m := range pathInDocument.FindAllStringSubmatch(line, -1) {
				targets = append(targets, m[1])
			}
			for _, m := range linkInDocument.FindAllStringSubmatch(line, -1) {
				targets = append(targets, path.Join(path.Dir(name), m[1]))
			}
			for _, target := range targets {
				checked++
				if _, err := fs.Stat(root, target); err != nil {
					t.Errorf("%s:%d names %s, which does not exist", name, i+1, target)
				}
			}
		}
		return nil
	})
	if err != nil || checked == 0 {
		t.Fatalf("checked %d paths: %v", checked, err)
	}
}
