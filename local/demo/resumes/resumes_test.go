package resumes

import (
	"os"
	"strings"
	"testing"
)

func TestReadmeListsEveryFile(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Size() > 150<<10 {
			t.Errorf("%s: %v, or larger than 150 KB", f.Name(), err)
		}
		if !strings.Contains(string(readme), "`"+f.Name()+"`") {
			t.Errorf("README.md does not list %s", f.Name())
		}
	}
}
