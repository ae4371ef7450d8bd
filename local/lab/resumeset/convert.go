package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// conversion is a source and the file that an engine makes of it.
type conversion struct {
	source, target string
	theme          string                  // of a source in JSON Resume's form
	finish         func(page string) error // called when the target is written
}

// convertAll makes the files that need engines: pages of themes first, which are sources
// of PDF files.
func convertAll(dir string, conversions []conversion) error {
	if len(conversions) == 0 {
		return nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := installEngines(dir); err != nil {
		return err
	}
	if err := renderPages(dir, conversions); err != nil {
		return err
	}
	var tasks [][2]string
	tex := errgroup.Group{}
	tex.SetLimit(2)
	for _, c := range conversions {
		switch {
		case c.finish != nil:
			err = c.finish(c.target)
		case c.isDone():
		case filepath.Ext(c.source) == ".tex":
			tex.Go(func() error { return runTeX(c) })
		default:
			tasks = append(tasks, [2]string{c.source, c.target})
		}
		if err != nil {
			return err
		}
	}
	if err := tex.Wait(); err != nil {
		return err
	}
	python := filepath.Join(dir, "venv/bin/python")
	return runEngine(tasks, python, "local/lab/resumeset/convert.py", dir)
}

// isDone reports whether the target was made of the same source: a copy of it lies beside
// the source then. It leaves this copy for the next time, and removes an older target, so
// that a conversion that fails is tried again.
func (c conversion) isDone() bool {
	content, err := os.ReadFile(c.source)
	if err != nil {
		return false
	}
	before, err := os.ReadFile(c.source + ".made")
	if _, missing := os.Stat(c.target); err == nil && missing == nil && bytes.Equal(before, content) {
		return true
	}
	_ = os.Remove(c.target)
	_ = os.WriteFile(c.source+".made", content, 0o644)
	return false
}

// runEngine runs a program that takes a JSON list of tasks, if there are some.
func runEngine[T any](tasks []T, name string, args ...string) error {
	if len(tasks) == 0 {
		return nil
	}
	list, err := json.Marshal(tasks)
	if err != nil {
		return err
	}
	command := exec.Command(name, args...)
	command.Stdin = bytes.NewReader(list)
	command.Stderr = os.Stderr
	return command.Run()
}

// renderPages has the builders of others render their pages: each from a folder in which
// its packages are installed and a copy of its script lies.
func renderPages(dir string, conversions []conversion) error {
	for _, b := range []struct{ source, from, script, folder string }{
		{".yaml", "local/lab/resumeset/heldout", "yamlresume.mjs", "yamlresume"},
	} {
		var pages [][3]string
		for _, c := range conversions {
			if c.theme != "" && filepath.Ext(c.source) == b.source {
				pages = append(pages, [3]string{c.source, c.theme, c.target})
			}
		}
		if err := renderWith(b.from, b.script, filepath.Join(dir, b.folder), pages); err != nil {
			return err
		}
	}
	return nil
}

func renderWith(from, name, dir string, pages [][3]string) error {
	if len(pages) == 0 {
		return nil
	}
	if err := installPackages(from, dir); err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		return err
	}
	copied := filepath.Join(dir, name)
	if err := os.WriteFile(copied, script, 0o644); err != nil {
		return err
	}
	return runEngine(pages, "node", copied)
}

// runTeX makes a PDF file with XeLaTeX, beside its source first.
func runTeX(c conversion) error {
	command := exec.Command("xelatex", "-interaction=nonstopmode", "-halt-on-error", filepath.Base(c.source))
	command.Dir = filepath.Dir(c.source)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("xelatex %s: %w\n%s", c.source, err, out[max(0, len(out)-2000):])
	}
	return os.Rename(strings.TrimSuffix(c.source, ".tex")+".pdf", c.target)
}

// installEngines installs the pinned Python packages and fonts once, beside the sets.
func installEngines(dir string) error {
	if err := installPackages("local/lab/resumeset", dir); err != nil {
		return err
	}
	python := filepath.Join(dir, "venv")
	return installPins("local/lab/resumeset/requirements.txt", dir, "requirements.txt", []string{"python3", "-m", "venv", python})
}

// installPins installs Python packages after other commands, unless the copy of their pins
// in the folder says that they are installed.
func installPins(pins, dir, mark string, before ...[]string) error {
	pip := []string{filepath.Join(dir, "venv/bin/pip"), "install", "--quiet", "-r", pins}
	return installOnce(pins, filepath.Join(dir, mark), append(before, pip)...)
}

// installPackages installs the npm packages of a lock file into a folder.
func installPackages(from, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return installOnce(filepath.Join(from, "package-lock.json"), filepath.Join(dir, "installed.json"),
		[]string{"cp", filepath.Join(from, "package.json"), filepath.Join(from, "package-lock.json"), dir},
		[]string{"npm", "ci", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"})
}

// installOnce runs commands unless a copy of the pins says that they ran for the same.
func installOnce(pins, mark string, commands ...[]string) error {
	want, err := os.ReadFile(pins)
	if err != nil {
		return err
	}
	if have, err := os.ReadFile(mark); err == nil && bytes.Equal(have, want) {
		return nil
	}
	for _, args := range commands {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", args[0], err, out)
		}
	}
	return os.WriteFile(mark, want, 0o644)
}
