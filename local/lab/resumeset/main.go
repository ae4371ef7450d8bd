// Command resumeset measures the resume reader on files that it was not built on: make writes a set into .local/resumeset, and
// score prints its table (docs/resumes.md). Seeds are fixed: the same source makes the same content. Beside every file lies its
// truth, FILE.truth.json (type truth).
//
// The folder heldout contains two families and five languages. Those who work on the reader read none of them: neither their
// files nor their errors, only the table.
//
// Text, HTML, DOCX, ODT and RTF files need Go alone. PDF files need Python 3.11 or later, whose packages
// (requirements.txt) are installed beside the set, Node 20.19 or later with npm, and make. The held-out
// families also need Chromium and XeLaTeX (Debian: texlive-xetex, texlive-latex-extra, texlive-plain-generic,
// texlive-fonts-recommended, fonts-texgyre).
package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
)

const (
	folder = ".local/resumeset" // where sets are written, unless --dir says otherwise
	seed   = 20261122

	// Numbers of the held-out set's files.
	perHeldOutLanguage = 24  // written by the development families
	perHeldOutEnglish  = 200 // by the held-out families
	perOtherLanguage   = 8   // by the held-out families, in a language of the development set
)

type cli struct {
	Make  makeCommand  `cmd:"" help:"Write the set's files and their truths."`
	Score scoreCommand `cmd:"" help:"Print the figures of the reader on the set, as Markdown."`
}

func main() {
	ctx := kong.Parse(&cli{}, kong.Name("resumeset"), kong.ShortUsageOnError(), kong.Vars{"folder": folder},
		kong.Description("Makes resumes that the reader was not built on, and scores the reader on them."))
	ctx.FatalIfErrorf(ctx.Run())
}

type makeCommand struct{ setFlags }

// Run writes a set anew.
func (c makeCommand) Run() error {
	plans := c.plan()
	dir := c.folder()
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "sources"), 0o755); err != nil {
		return err
	}
	var work engineWork
	for _, p := range plans {
		if err := p.write(dir, &work); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if err := work.run(c.Dir); err != nil {
		return err
	}
	fmt.Printf("%d files in %s\n", len(plans), dir)
	return nil
}

// write writes a file and its truth, or the source of a file that an engine makes, which it adds to the work.
func (p plan) write(dir string, work *engineWork) error {
	who := drawPerson(p.language, p.random)
	s := drawStyle(p.family, p.language, p.random)
	file := filepath.Join(dir, p.name+"."+p.format)
	t := newTruth(who, s, p)
	if err := t.write(file); err != nil {
		return err
	}
	source := filepath.Join(dir, "sources", p.name+"."+p.family.Source)
	switch {
	case p.family.Source == "tex":
		work.add(source, file)
		return writeFile(source, newPage(who, s, p.name), s, "tex", false)
	case p.family.Source == "yaml":
		page := file
		if p.format == "pdf" { // which is made of the theme's page
			page = strings.TrimSuffix(source, ".yaml") + ".html"
			work.add(page, file)
		}
		_, theme, _ := strings.Cut(s.Layout, "-")
		work.pages = append(work.pages, [3]string{source, theme, page})
		work.finish = append(work.finish, func() error { return pruneTruth(t, who, page, file) })
		return writeFile(source, newPage(who, s, p.name), s, "yaml", false)
	case p.format == "pdf":
		work.add(source, file)
		return writeFile(source, s.arrange(who), s, p.family.Source, true)
	}
	return writeFile(file, s.arrange(who), s, p.format, false)
}

// setFlags say which set is meant: without any, the development set.
type setFlags struct {
	Dir     string `default:"${folder}" help:"Where the sets are."`
	HeldOut bool   `name:"heldout" help:"The held-out set: figures only."`
}

func (f setFlags) folder() string {
	if f.HeldOut {
		return filepath.Join(f.Dir, "heldout")
	}
	return filepath.Join(f.Dir, "development")
}

// plan is a file to be written.
type plan struct {
	name, format, code, heldOut string
	family                      family
	language                    language
	random                      *rand.Rand
}

// noTeX lists the languages that the LaTeX templates have no fonts for.
var noTeX = []string{"ar", "hi", "ja", "zh"}

// plan plans a set's files: of the held-out one development families in languages that are held out, and held-out
// families in other languages, of which English has words of its own. Each family has its turn.
func (f setFlags) plan() (plans []plan) {
	add := func(families []family, languages map[string]language, heldOut string, ofEnglish, ofOthers int) {
		for _, code := range slices.Sorted(maps.Keys(languages)) {
			list := families
			if slices.Contains(noTeX, code) {
				list = slices.DeleteFunc(slices.Clone(list), func(f family) bool { return f.Source == "tex" })
			}
			count := ofOthers
			if code == "en" {
				count = ofEnglish
			}
			for i := range count {
				f := list[i%len(list)]
				hash := fnv.New64a() // a seed that does not change when a set grows
				_, _ = fmt.Fprint(hash, heldOut, code, f.Name, i)
				plans = append(plans, plan{
					name: fmt.Sprintf("%s-%s-%03d", code, f.Name, i), format: f.Formats[i/len(list)%len(f.Formats)],
					code: code, heldOut: heldOut, family: f, language: languages[code],
					random: rand.New(rand.NewPCG(seed, hash.Sum64())),
				})
			}
		}
	}
	families := datafile.MustRead[[]family](data, "families.json")
	if !f.HeldOut {
		add(families, developmentLanguages(), "", 240, 12)
		return plans
	}
	heldOut := readLanguages("heldout/languages")
	own := datafile.MustRead[[]family](data, "heldout/families.json")
	add(own, heldOut, "family", perHeldOutEnglish, 0)
	add(own, developmentLanguages(), "family", 0, perOtherLanguage)
	add(families, heldOut, "language", 0, perHeldOutLanguage)
	return plans
}
