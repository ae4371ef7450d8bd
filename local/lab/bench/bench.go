package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bench is a run with its temporary directory.
type bench struct {
	ctx context.Context
	dir string
}

// run runs a command, shows its output only if it fails, and returns its standard output.
func (b *bench) run(c *exec.Cmd) (string, error) {
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(c.Args, " "), err, out, stderr.String())
	}
	return string(out), nil
}

// command returns a command that ends with the run. env adds to the environment.
func (b *bench) command(dir string, env []string, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(b.ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	return c
}

// change replaces a text that occurs once in a source file.
type change struct{ file, old, new string }

// writeOverlay applies a change to a copy of its file, and returns the flag that makes the go command
// use the copy. The file itself stays as it is.
func (b *bench) writeOverlay(c change) (flag string, err error) {
	path, err := filepath.Abs(c.file)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if strings.Count(string(source), c.old) != 1 {
		return "", fmt.Errorf("%s does not contain %q once", c.file, c.old)
	}
	changed := filepath.Join(b.dir, "changed.go")
	overlay := filepath.Join(b.dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	content := strings.Replace(string(source), c.old, c.new, 1)
	return "-overlay=" + overlay, errors.Join(os.WriteFile(changed, []byte(content), 0o600), os.WriteFile(overlay, text, 0o600))
}
