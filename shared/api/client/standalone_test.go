package client_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The client and the contract are a module of their own with one requirement: copied out of this
// repository, without the deployment and without AWS, they build.
func TestStandsAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"client", "contract"} {
		files, err := filepath.Glob("../" + name + "/*") // Go files, and the text that one embeds
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has %v, %v", name, files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			content, err := os.ReadFile(file)
			if err == nil {
				err = os.MkdirAll(filepath.Join(dir, name), 0o755)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name, filepath.Base(file)), content, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	const path = "github.com/recruiting-marketplace/external-api/shared/api"
	uuid := strings.TrimSpace(runGo(t, ".", "list", "-m", "-f", "{{.Path}} {{.Version}}", "github.com/google/uuid"))
	sums, err := os.ReadFile("../../../go.sum")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+path+"\n\ngo 1.26\n\nrequire "+uuid+"\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	runGo(t, dir, "build", "./...")
	if modules := strings.Fields(runGo(t, dir, "list", "-m", "-f", "{{.Path}}", "all")); strings.Join(modules, " ") != path+" github.com/google/uuid" {
		t.Errorf("the module graph has %q", modules)
	}
}

func runGo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, out)
	}
	return string(out)
}
