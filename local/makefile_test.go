package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runMake runs the Makefile in a directory that has nothing installed, with these programs before others on the PATH.
func runMake(t *testing.T, target string, programs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"Makefile": string(makefile), "local/package-lock.json": "{}"}
	for name, script := range programs {
		files["bin/"+name] = "#!/bin/sh\n" + script + "\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("make", "-C", dir, target)
	command.Env = append(os.Environ(), "DYNAMODB=dynoxide", "MAKEFLAGS=", "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, _ := command.CombinedOutput()
	return string(out)
}

// Programs that are missing or too old are named first, in words that say what to install.
func TestMakeNamesTheProgramsThatItNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, program, script string
		want                    string
	}{
		"an old Go":         {"run", "go", "echo go version go1.22.2 linux/amd64", "this needs Go 1.26 or later on the PATH: go version go1.22.2"},
		"no Go":             {"run", "go", "echo bash: line 1: go: command not found >&2; exit 127", "this needs Go 1.26 or later on the PATH: go: command not found"},
		"no newer Go":       {"run", "go", "echo go: download go1.26.0: toolchain not available >&2; exit 1", "this needs Go 1.26 or later on the PATH: go: download"},
		"the Go it needs":   {"help", "go", "echo go version go1.26.0 linux/amd64", "make run"},
		"a Go before it is": {"help", "go", "echo go version go1.27-devel_1f2e3d linux/amd64", "make run"},
		"an old Node":       {"run", "node", `[ "$1" = --version ] && echo v18.1.0`, "this needs Node 20.19 or later, with npm, on the PATH: v18.1.0\n"},
		"no Node":           {"run", "node", "echo node: not found >&2; exit 127", "this needs Node 20.19 or later, with npm, on the PATH: node: not found\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := runMake(t, c.target, map[string]string{c.program: c.script, "npm": "echo npm runs"})
			_, got, _ = strings.Cut(got, "\n") // the name of the directory
			if !strings.Contains(got, c.want) || strings.Contains(got, "npm runs") || strings.Contains(got, "bash:") {
				t.Errorf("got %s\nwant %q", got, c.want)
			}
		})
	}
}
