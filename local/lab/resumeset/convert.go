package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// conversion is a source and the file that an engine makes of it.
type conversion struct {
	source, target string
	theme          string                  // of a source in YAMLResume's form, of which a page is made
	finish         func(page string) error // called when the page is written
}

const (
	enginesDir = "local/lab/resumeset"
	themesDir  = "local/lab/resumeset/heldout"
)

// convertAll makes the files that need engines: pages of themes first, which are sources
// of PDF files. It installs the pinned Python packages and fonts once, beside the sets.
func convertAll(dir string, conversions []conversion) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	var tasks [][2]string
	var pages [][3]string
	for _, c := range conversions {
		if c.theme == "" {
			tasks = append(tasks, [2]string{c.source, c.target})
		} else {
			pages = append(pages, [3]string{c.source, c.theme, c.target})
		}
	}
	if err := renderPages(filepath.Join(dir, "yamlresume"), pages); err != nil {
		return err
	}
	for _, c := range conversions {
		if c.finish == nil {
			continue
		}
		if err := c.finish(c.target); err != nil {
			return err
		}
	}
	if err := installPackages(enginesDir, dir); err != nil {
		return err
	}
	venv := filepath.Join(dir, "venv")
	pins := enginesDir + "/requirements.txt"
	err = installOnce(pins, filepath.Join(dir, "requirements.txt"),
		[]string{"python3", "-m", "venv", venv},
		[]string{venv + "/bin/pip", "install", "--quiet", "-r", pins})
	if err != nil {
		return err
	}
	return runEngine(tasks, venv+"/bin/python", enginesDir+"/convert.py", dir)
}

// runEngine runs a program that takes a JSON list of tasks.
func runEngine[T any](tasks []T, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Stdin = bytes.NewReader(must(json.Marshal(tasks)))
	command.Stderr = os.Stderr
	return command.Run()
}

// renderPages has YAMLResume render its pages, from a folder in which its packages are
// installed and a copy of its script lies.
func renderPages(dir string, pages [][3]string) error {
	if len(pages) == 0 {
		return nil
	}
	if err := installPackages(themesDir, dir); err != nil {
		return err
	}
	script := must(data.ReadFile("heldout/yamlresume.mjs"))
	copied := filepath.Join(dir, "yamlresume.mjs")
	if err := os.WriteFile(copied, script, 0o644); err != nil {
		return err
	}
	return runEngine(pages, "node", copied)
}

func installPackages(from, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	lock := filepath.Join(from, "package-lock.json")
	return installOnce(lock, filepath.Join(dir, "installed.json"),
		[]string{"cp", filepath.Join(from, "package.json"), lock, dir},
		[]string{"npm", "ci", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"})
}

// installOnce runs commands unless a copy of the pins exists, which is made when they ran.
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
