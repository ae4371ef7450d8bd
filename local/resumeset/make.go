package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
)

// seed is the seed of every set.
const seed = 20261122

type makeCommand struct {
	Dir     string `default:"${folder}" help:"Where sets are written."`
	HeldOut bool   `name:"heldout" help:"Write the held-out set instead of the development set."`
	Text    bool   `help:"Write only the files that need no Python."`
}

// Run writes a set anew.
func (c makeCommand) Run() error {
	plans, err := planDevelopment()
	if c.HeldOut {
		plans, err = planHeldOut()
	}
	if err != nil {
		return err
	}
	if c.Text {
		plans = slices.DeleteFunc(plans, func(p plan) bool { return p.format == "pdf" || p.family.Source == "theme" })
	}
	dir := setFolder(c.Dir, c.HeldOut)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "sources"), 0o755); err != nil {
		return err
	}
	var conversions []conversion
	for _, p := range plans {
		next, err := p.write(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		conversions = append(conversions, next...)
	}
	if err := convertAll(c.Dir, conversions); err != nil {
		return err
	}
	fmt.Printf("%d files in %s\n", len(plans), dir)
	return nil
}

// setFolder returns the folder of a set.
func setFolder(dir string, heldOut bool) string {
	if heldOut {
		return filepath.Join(dir, "heldout")
	}
	return filepath.Join(dir, "development")
}

// plan is a file to be written.
type plan struct {
	name, format, code, heldOut string
	family                      family
	language                    language
	random                      *rand.Rand
}

// conversion is a source and the file that an engine makes of it.
type conversion struct{ source, target string }

var developmentLanguages = sync.OnceValues(func() (map[string]language, error) { return readLanguages("languages") })

// developmentEnglish returns the development set's English.
func developmentEnglish() language {
	all, err := developmentLanguages()
	if err != nil {
		panic(err) // it is embedded, and a test reads it
	}
	return all["en"]
}

// planDevelopment plans the development set: 240 files in English and 12 in each other
// language, each family in turn.
func planDevelopment() ([]plan, error) {
	languages, err := developmentLanguages()
	if err != nil {
		return nil, err
	}
	var plans []plan
	for _, code := range slices.Sorted(maps.Keys(languages)) {
		count := 12
		if code == "en" {
			count = 240
		}
		plans = append(plans, planFamilies(families, code, languages[code], count, "")...)
	}
	return plans, nil
}

// planFamilies plans a number of files in one language, each family in turn.
func planFamilies(list []family, code string, l language, count int, heldOut string) []plan {
	var plans []plan
	for i := range count {
		f := list[i%len(list)]
		random := rand.New(rand.NewPCG(seed, hashText(fmt.Sprint(heldOut, code, f.Name, i))))
		plans = append(plans, plan{name: fmt.Sprintf("%s-%s-%03d", code, f.Name, i), format: f.Formats[i/len(list)%len(f.Formats)], code: code, heldOut: heldOut, family: f, language: l, random: random})
	}
	return plans
}

// hashText is FNV-1a: a seed that does not change when a set grows.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range []byte(s) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// write writes a file and its truth, or the source of a file that an engine makes.
func (p plan) write(dir string) ([]conversion, error) {
	who := drawPerson(p.language, p.random)
	s := drawStyle(p.family, p.language, p.random)
	file := filepath.Join(dir, p.name+"."+p.format)
	t := newTruth(who, s)
	t.Family, t.Format, t.Language, t.HeldOut = p.family.Name, p.format, p.code, p.heldOut
	if err := t.write(file); err != nil {
		return nil, err
	}
	blocks := s.arrange(who)
	if p.format != "pdf" {
		return nil, os.WriteFile(file, formatBlocks(blocks, s, p.format, false), 0o644)
	}
	source := filepath.Join(dir, "sources", p.name+"."+p.family.Source)
	return []conversion{{source, file}}, os.WriteFile(source, formatBlocks(blocks, s, p.family.Source, true), 0o644)
}

func formatBlocks(blocks []block, s style, format string, printed bool) []byte {
	switch format {
	case "docx":
		return writeDOCX(blocks, s)
	case "odt":
		return writeODT(blocks, s)
	case "rtf":
		return writeRTF(blocks, s)
	case "html":
		return writeHTML(blocks, s, printed)
	case "typ":
		return writeTypst(blocks, s)
	}
	return writeText(blocks, s, format == "md")
}

// convertAll makes PDF files with Python's engines, two at a time.
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
	var tasks [][2]string
	for _, c := range conversions {
		tasks = append(tasks, [2]string{c.source, c.target})
	}
	list, err := json.Marshal(tasks)
	if err != nil {
		return err
	}
	command := exec.Command(filepath.Join(dir, "venv/bin/python"), "local/resumeset/convert.py", dir)
	command.Stdin, command.Stderr = bytes.NewReader(list), os.Stderr
	return command.Run()
}

// installEngines installs the pinned Python and npm packages once, beside the sets.
func installEngines(dir string) error {
	mark := filepath.Join(dir, "installed")
	if _, err := os.Stat(mark); err == nil {
		return nil
	}
	for _, args := range [][]string{
		{"python3", "-m", "venv", filepath.Join(dir, "venv")},
		{filepath.Join(dir, "venv/bin/pip"), "install", "--quiet", "-r", "local/resumeset/requirements.txt"},
		{"cp", "local/resumeset/package.json", "local/resumeset/package-lock.json", dir},
		{"npm", "ci", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", args[0], err, out)
		}
	}
	return os.WriteFile(mark, nil, 0o644)
}
