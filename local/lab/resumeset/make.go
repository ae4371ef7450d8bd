package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// seed is the seed of every set.
const seed = 20261122

type makeCommand struct {
	setFlags
	Text bool `help:"Write only the files that need no Python."`
}

// setFlags say which set is meant: without any, the development set.
type setFlags struct {
	Dir     string `default:"${folder}" help:"Where the sets are."`
	HeldOut bool   `name:"heldout" xor:"set" help:"The held-out set: figures only."`
	Draw    uint64 `xor:"set" help:"Another draw of the development set, figures only: the same families with another seed; an odd draw's varied files have other words."`
}

// Run writes a set. Files whose sources are as before are not converted again.
func (c makeCommand) Run() error {
	plans, err := c.plan()
	if err != nil {
		return err
	}
	if c.Text {
		plans = slices.DeleteFunc(plans, func(p plan) bool { return p.format == "pdf" || p.family.isForeign() })
	}
	dir := c.folder()
	if err := os.MkdirAll(filepath.Join(dir, "sources"), 0o755); err != nil {
		return err
	}
	if err := removeOthers(dir, plans); err != nil {
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

// removeOthers removes the files of a set that no plan names.
func removeOthers(dir string, plans []plan) error {
	planned := map[string]bool{"sources": true}
	for _, p := range plans {
		planned[p.name+"."+p.format] = true
		planned[p.name+"."+p.format+truthSuffix] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !planned[entry.Name()] {
			if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// folder returns the folder of a set.
func (f setFlags) folder() string {
	switch {
	case f.HeldOut:
		return filepath.Join(f.Dir, "heldout")
	case f.Draw > 0:
		return filepath.Join(f.Dir, fmt.Sprint("draw-", f.Draw))
	}
	return filepath.Join(f.Dir, "development")
}

// plan plans a set's files.
func (f setFlags) plan() ([]plan, error) {
	switch {
	case f.HeldOut:
		return planHeldOut()
	}
	return planDevelopment(f.Draw)
}

// plan is a file to be written.
type plan struct {
	name, format, code, heldOut string
	family                      family
	language                    language
	random                      *rand.Rand
}

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
// language, each family in turn, and those of the drawn families. A draw other than 0 is
// another such set.
func planDevelopment(draw uint64) ([]plan, error) {
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
		plans = append(plans, planFamilies(drawn, code, languages[code], drawnFiles(code), "")...)
		plans = append(plans, planGrammars(code, languages[code])...)
	}
	more, err := planVaried(languages, int(draw%2))
	plans = append(plans, more...)
	if draw > 0 {
		for i, p := range plans {
			plans[i].random = rand.New(rand.NewPCG(seed+draw, hashText(p.name)))
		}
	}
	return plans, err
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
	if p.family.Name == varied.Name {
		return p.writeVaried(dir)
	}
	who := drawPerson(p.language, p.random)
	s := drawStyle(p.family, p.language, p.random)
	file := filepath.Join(dir, p.name+"."+p.format)
	layout, template, _ := strings.Cut(s.Layout, "-")
	t := newTruth(who, s)
	t.Family = p.family.Name
	t.Format = p.format
	t.Layout = layout
	t.Language = p.code
	t.HeldOut = p.heldOut
	if err := t.write(file); err != nil {
		return nil, err
	}
	source := filepath.Join(dir, "sources", p.name+"."+p.family.Source)
	prune := func(page string) error { return pruneTruth(t, who, page, file) }
	switch p.family.Source {
	case "tex":
		return []conversion{{source: source, target: file}}, writeTeX(source, who, s)
	case "yaml":
		return p.convertTheme(source, template, file, prune), writeYAMLResume(source, who, s)
	}
	if slices.Contains([]string{"place", "print", "browse"}, p.family.Source) {
		return []conversion{{source: source, target: file}}, os.WriteFile(source, writeFacts(who, s), 0o644)
	}
	blocks := s.arrange(who)
	if p.format != "pdf" {
		return nil, os.WriteFile(file, formatBlocks(blocks, s, p.format, false), 0o644)
	}
	return []conversion{{source: source, target: file}}, os.WriteFile(source, formatBlocks(blocks, s, p.family.Source, true), 0o644)
}

// convertTheme plans the page of a theme, and the PDF file of this page.
func (p plan) convertTheme(source, theme, file string, finish func(page string) error) []conversion {
	if p.format != "pdf" {
		return []conversion{{source: source, theme: theme, target: file, finish: finish}}
	}
	page := strings.TrimSuffix(source, "."+p.family.Source) + ".html"
	return []conversion{{source: source, theme: theme, target: page, finish: finish}, {source: page, target: file}}
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
	case "draw":
		return writeDrawing(blocks, s)
	}
	return writeText(blocks, s, format == "md")
}
