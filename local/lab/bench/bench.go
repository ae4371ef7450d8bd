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

// bench is a run: its temporary directory and the changes of source that are planted in it.
type bench struct {
	ctx context.Context
	dir string
	// planted are the regressions, overlay is the flag of the go command that plants them, or "".
	planted []change
	overlay string
}

func newBench(ctx context.Context, plants []int) (*bench, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	b := &bench{ctx: ctx, dir: dir}
	for _, row := range plants {
		if regressions[row] == (change{}) {
			err = errors.Join(err, fmt.Errorf("no regression is kept for row %d", row))
		}
		b.planted = append(b.planted, regressions[row])
	}
	if err == nil && len(plants) > 0 {
		b.overlay, err = b.writeOverlay("planted", b.planted...)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() { _ = os.RemoveAll(b.dir) }

// run runs a command whose output is only shown if it fails, and returns its standard output.
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

// writeOverlay applies changes to copies of files, and returns the flag that makes the go command
// use the copies. The files themselves stay as they are.
func (b *bench) writeOverlay(name string, changes ...change) (flag string, err error) {
	replace := map[string]string{}
	for i, c := range changes {
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
		changed := filepath.Join(b.dir, fmt.Sprintf("%s%d.go", name, i))
		if err := os.WriteFile(changed, []byte(strings.Replace(string(source), c.old, c.new, 1)), 0o600); err != nil {
			return "", err
		}
		replace[path] = changed
	}
	file := filepath.Join(b.dir, name+".json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return "-overlay=" + file, os.WriteFile(file, text, 0o600)
}
